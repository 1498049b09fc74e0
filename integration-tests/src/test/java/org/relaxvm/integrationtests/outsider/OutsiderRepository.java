package org.relaxvm.integrationtests.outsider;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.relaxvm.integrationtests.ProjectRoot;

/**
 * A local Maven repository of an outsider: what the build's own repository holds is there too, by
 * symbolic links, and of ours only what was published to it. The build's repository gets nothing of
 * ours.
 */
final class OutsiderRepository {
  private static final Pattern VERSION =
      Pattern.compile("<artifactId>relaxvm-parent</artifactId>\\s*<version>([^<]+)</version>");

  private final Path folder;
  private final String version;

  private OutsiderRepository(Path folder, String version) {
    this.folder = folder;
    this.version = version;
  }

  /** A new repository over the one that the build uses. */
  static OutsiderRepository over(Path buildRepository, Path folder) throws IOException {
    linkAll(buildRepository, folder, "org");
    linkAll(buildRepository.resolve("org"), folder.resolve("org"), "relaxvm");
    Matcher matcher = VERSION.matcher(Files.readString(ProjectRoot.path().resolve("pom.xml")));
    if (!matcher.find()) {
      throw new IllegalStateException("no version in the root pom.xml");
    }
    return new OutsiderRepository(folder, matcher.group(1));
  }

  private static void linkAll(Path from, Path to, String but) throws IOException {
    Files.createDirectories(to);
    if (!Files.isDirectory(from)) {
      return;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(from)) {
      for (Path entry : entries) {
        if (!entry.endsWith(but)) {
          Files.createSymbolicLink(to.resolve(entry.getFileName()), entry.toAbsolutePath());
        }
      }
    }
  }

  Path folder() {
    return folder;
  }

  /** Publishes a pom alone, as that of the parent. */
  void publish(String artifact, Path pom) throws IOException {
    Files.copy(pom, place(artifact, "pom"));
  }

  /** Publishes a jar with its pom. */
  void publish(String artifact, Path pom, Path jar) throws IOException {
    publish(artifact, pom);
    Files.copy(jar, place(artifact, "jar"));
  }

  private Path place(String artifact, String extension) throws IOException {
    Path place = folder.resolve("org/relaxvm").resolve(artifact).resolve(version);
    Files.createDirectories(place);
    return place.resolve(artifact + "-" + version + "." + extension);
  }
}
