package org.relaxvm.backendcuda.cublas;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcuda.driver.Machine;
import org.relaxvm.backendcuda.driver.ToolkitLibrary;

/**
 * What a search found. Immutable and thread-safe.
 *
 * @param library the library, if there is one
 * @param file the name that it was loaded by; empty when there is none
 * @param absence why there is none: several lines; empty when there is one
 * @param refused files that are there but cannot be used, each with the reason, in one line
 */
public record FoundLibrary<T>(
    Optional<T> library, String file, String absence, List<String> refused) {
  /** Copies the list. */
  public FoundLibrary {
    refused = List.copyOf(refused);
  }

  /** None, for a reason. */
  public static <T> FoundLibrary<T> none(String absence) {
    return new FoundLibrary<>(Optional.empty(), "", absence, List.of());
  }

  /**
   * Looks for a library, and loads it until the JVM ends.
   *
   * @param name of the library, for messages
   * @param without what happens where there is none
   * @param bind makes it of a file
   */
  static <T> FoundLibrary<T> search(
      ToolkitLibrary files,
      Machine machine,
      BackendOptions options,
      int driverVersion,
      String name,
      String without,
      Function<CublasFunctions, T> bind) {
    String setting = files.setting();
    if (Cublas.OFF.equals(options.property(setting))) {
      return none(options.origin(setting) + "=" + Cublas.OFF + " switches it off");
    }
    ToolkitLibrary.Found<T> found =
        files.find(
            machine, options, symbols -> bind.apply(new CublasFunctions(symbols, name, setting)));
    String absence =
        found.library().isPresent()
            ? ""
            : "%s was not found; %s%s\n  what to do: install %s of CUDA %s, or name its file with -D%s="
                .formatted(
                    name,
                    without,
                    found.tried(),
                    name,
                    driverVersion < 13000 ? "12" : "12 or 13",
                    setting);
    return new FoundLibrary<>(found.library(), found.file(), absence, found.refused());
  }

  /**
   * Its version and its file, or in one line why there is none, and what could not be used; for
   * {@code doctor}.
   */
  public String state() {
    String state =
        library
            .map(found -> found + " (" + file + ")")
            .orElseGet(() -> "none: " + absence.lines().findFirst().orElse(""));
    return String.join("; ", Stream.concat(Stream.of(state), refused.stream()).toList());
  }
}
