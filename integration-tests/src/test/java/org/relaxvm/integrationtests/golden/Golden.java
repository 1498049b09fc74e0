package org.relaxvm.integrationtests.golden;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Where the golden artefacts lie. */
public final class Golden {
  private static final Path FOLDER = Path.of("../../shared/golden");

  private Golden() {}

  /** A case's folder; without it the test is skipped, and says so. */
  public static Path require(String name) {
    Path folder = FOLDER.resolve(name);
    if (!Files.isDirectory(folder)) {
      System.out.println("skipped: no golden artefacts at " + folder.toAbsolutePath().normalize());
    }
    Assumptions.assumeTrue(Files.isDirectory(folder), "no golden artefacts at " + folder);
    return folder;
  }
}
