package org.relaxvm.backendcuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.BackendOptions;

/**
 * A library of the toolkit, whichever version of it is there. Immutable and thread-safe.
 *
 * @param unixNames file names where libraries are named as on Linux, the best first
 * @param windowsNames file names on Windows, the best first
 * @param setting system property: the file to use, and no other
 */
public record ToolkitLibrary(List<String> unixNames, List<String> windowsNames, String setting) {
  /** Copies the lists. */
  public ToolkitLibrary {
    unixNames = List.copyOf(unixNames);
    windowsNames = List.copyOf(windowsNames);
  }

  /** A file that could be loaded, but is of no use; the message says why, in one line. */
  public static final class UselessException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The reason, after the words "is loaded, but". */
    public UselessException(String reason) {
      super(reason);
    }
  }

  /**
   * What a search found.
   *
   * @param library what was made of the first file that is of use
   * @param file its name, as it was loaded; empty when there is none
   * @param tried what was looked at and why it is not used: lines for a message, each of which
   *     begins with {@code "\n "}; empty when there is a library
   * @param refused the files that were loaded and are of no use, each with the reason, in one line
   */
  public record Found<T>(Optional<T> library, String file, String tried, List<String> refused) {}

  /**
   * Loads the first file that is of use. It stays loaded until the JVM ends.
   *
   * @param bind makes something of a file; {@link UselessException} goes on to the next one
   */
  public <T> Found<T> find(Machine machine, Function<SymbolLookup, T> bind) {
    return find(machine, BackendOptions.none(), bind);
  }

  /** As the other method; an option may name the file. */
  public <T> Found<T> find(
      Machine machine, BackendOptions options, Function<SymbolLookup, T> bind) {
    String given = options.property(setting);
    String named = given == null ? "" : given;
    List<String> refused = new ArrayList<>();
    List<String> candidates = named.isEmpty() ? candidates(machine) : List.of(named);
    for (String candidate : candidates) {
      SymbolLookup symbols = load(candidate);
      if (symbols != null) {
        try {
          return new Found<>(Optional.of(bind.apply(symbols)), candidate, "", refused);
        } catch (UselessException e) {
          refused.add(candidate + " is loaded, but " + e.getMessage());
        }
      }
    }
    String looked =
        named.isEmpty()
            ? "\n  looked for: " + String.join(", ", names(machine)) + folders(machine)
            : "\n  looked for: "
                + named
                + ", which "
                + options.origin(setting)
                + "= names"
                + state(named);
    String tried = refused.stream().map(line -> "\n  " + line).collect(Collectors.joining());
    return new Found<>(Optional.empty(), "", looked + tried, refused);
  }

  private List<String> names(Machine machine) {
    return machine.windows() ? windowsNames : unixNames;
  }

  private static String folders(Machine machine) {
    return machine.folders().stream()
        .map(Path::toString)
        .collect(Collectors.joining(", ", "\n  in: the folders of this machine's loader, ", ""))
        .replaceFirst(", $", "");
  }

  private static String state(String file) {
    try {
      return file.contains("/") && !Files.exists(Path.of(file)) ? " (there is no such file)" : "";
    } catch (InvalidPathException e) {
      return " (" + e.getMessage() + ")";
    }
  }

  /** Each name as the loader finds it, then in the folders of the toolkit. */
  private List<String> candidates(Machine machine) {
    List<String> candidates = new ArrayList<>();
    for (String name : names(machine)) {
      candidates.add(name);
      for (Path folder : machine.folders()) {
        Path file = folder.resolve(name);
        if (Files.exists(file)) {
          candidates.add(file.toString());
        }
      }
    }
    return candidates;
  }

  @SuppressWarnings("restricted")
  private static @Nullable SymbolLookup load(String file) {
    try {
      return SymbolLookup.libraryLookup(file, Arena.global());
    } catch (IllegalArgumentException _) {
      return null;
    }
  }
}
