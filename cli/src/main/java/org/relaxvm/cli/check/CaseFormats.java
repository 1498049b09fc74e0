package org.relaxvm.cli.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.relaxvm.api.discovery.ServiceLookup;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.cli.output.CodeOrigin;
import org.relaxvm.cli.spi.CaseFormat;

/**
 * The formats of cases at hand.
 *
 * @param formats in the order in which they are asked
 */
public record CaseFormats(List<CaseFormat> formats) {
  /** Copies the list. */
  public CaseFormats {
    formats = List.copyOf(formats);
  }

  /**
   * A path with the format that accepts it.
   *
   * @param path of the cases
   * @param format that checks them
   */
  public record Match(Path path, CaseFormat format) {}

  /**
   * Finds all formats. One that cannot be used is left out: it must not hide the others.
   *
   * @param warnings gets a line for each
   */
  public static CaseFormats discover(Consumer<String> warnings) {
    ServiceLookup<CaseFormat> lookup = ServiceLookup.of(ServiceLoader.load(CaseFormat.class));
    lookup.failures().forEach(failure -> warnings.accept(unused("", failure)));
    List<CaseFormat> ours = new ArrayList<>();
    List<CaseFormat> others = new ArrayList<>();
    for (ServiceLoader.Provider<CaseFormat> provider : lookup.providers()) {
      try {
        CaseFormat format = provider.get();
        boolean isOurs = provider.type().getModule().equals(CaseFormats.class.getModule());
        boolean isBuiltIn =
            isOurs && provider.type().getPackageName().startsWith("org.relaxvm.cli.");
        (isBuiltIn ? ours : others).add(format);
      } catch (ServiceConfigurationError | RuntimeException | LinkageError e) {
        warnings.accept(unused(" of " + CodeOrigin.of(provider.type()), e));
      }
    }
    ours.addAll(others);
    return new CaseFormats(ours);
  }

  private static String unused(String origin, Throwable failure) {
    return "a format of cases" + origin + " is not used: " + failure.getMessage();
  }

  /** The format of a path, or of the paths in a directory that none accepts, sorted by name. */
  public List<Match> find(Path path) {
    Optional<Match> whole = match(path);
    if (whole.isPresent() || !Files.isDirectory(path)) {
      return whole.stream().toList();
    }
    try (Stream<Path> children = Files.list(path)) {
      return children.sorted().flatMap(child -> match(child).stream()).toList();
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.IO, "cannot read the directory '" + path + "': " + e.getMessage(), e);
    }
  }

  private Optional<Match> match(Path path) {
    return formats.stream()
        .filter(format -> format.accepts(path))
        .findFirst()
        .map(format -> new Match(path, format));
  }

  /** What cases look like, for messages: a line for each format. */
  public String describe() {
    StringBuilder text = new StringBuilder();
    formats.forEach(
        format ->
            text.append("\n    ").append(format.name()).append(": ").append(format.description()));
    return text.toString();
  }
}
