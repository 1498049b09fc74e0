package org.relaxvm.integrationtests.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.relaxvm.integrationtests.ProjectRoot;

/** The project's own files by extension, without what builds create. */
final class SourceFiles {
  private static final Set<String> EXCLUDED = Set.of("target", ".git");

  private SourceFiles() {}

  /** Paths relative to the project's root, sorted, whose names end with the extension. */
  static List<Path> withExtension(String extension) {
    Path root = ProjectRoot.path();
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(root::relativize)
          .filter(file -> file.toString().endsWith(extension))
          .filter(SourceFiles::isOurs)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The text of a file that is given relative to the project's root. */
  static String text(Path file) {
    try {
      return Files.readString(ProjectRoot.path().resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOurs(Path file) {
    for (Path part : file) {
      if (EXCLUDED.contains(part.toString())) {
        return false;
      }
    }
    return true;
  }
}
