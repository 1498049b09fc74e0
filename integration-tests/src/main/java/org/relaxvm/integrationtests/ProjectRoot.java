package org.relaxvm.integrationtests;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the folder of the whole project, wherever inside it the tests were started. */
public final class ProjectRoot {
  private ProjectRoot() {}

  /** The folder that holds the launcher and the root {@code pom.xml}. */
  public static Path path() {
    Path start = Path.of("").toAbsolutePath();
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve("relaxvm")) && Files.exists(folder.resolve("pom.xml"))) {
        return folder;
      }
    }
    throw new IllegalStateException("no project root above " + start);
  }
}
