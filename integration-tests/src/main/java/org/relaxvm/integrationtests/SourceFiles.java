package org.relaxvm.integrationtests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The project's own files by extension, without what builds create. */
public final class SourceFiles {
  /** Builds that run at the same time add and remove files in them. */
  private static final Set<String> EXCLUDED = Set.of("target", ".git");

  private SourceFiles() {}

  /** Paths relative to the project's root, sorted, whose names end with the extension. */
  public static List<Path> withExtension(String extension) {
    Path root = ProjectRoot.path();
    Set<Path> found = new TreeSet<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              return EXCLUDED.contains(String.valueOf(folder.getFileName()))
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (file.toString().endsWith(extension)) {
                found.add(root.relativize(file));
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(found);
  }

  /** The text of a file that is given relative to the project's root. */
  public static String text(Path file) {
    try {
      return Files.readString(ProjectRoot.path().resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
