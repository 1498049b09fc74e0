package org.relaxvm.integrationtests.golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;

/** Golden cases that run their own machine code, where the processor has what it was made for. */
public final class NativeGolden {
  private static final Path PROCESSOR = Path.of("/proc/cpuinfo");

  /** Of x86-64-v3, those that no older processor has. */
  private static final List<String> NEEDED = List.of("avx2", "bmi2", "fma", "movbe", "f16c");

  private NativeGolden() {}

  /** A case's folder; where its code cannot run the test is skipped, and says so. */
  public static Path require(String name) {
    String missing = missing();
    if (!missing.isEmpty()) {
      System.out.println(
          "skipped: golden libraries are for x86-64-v3 on Linux, here is " + missing);
    }
    Assumptions.assumeTrue(missing.isEmpty(), missing);
    return Golden.require(name);
  }

  /** The program of a library, whose code may be run. */
  public static Program program(Path folder) {
    return Program.load(folder.resolve("model.so"), LoadOptions.DEFAULT.withNativeCode(true));
  }

  private static String missing() {
    String arch = System.getProperty("os.arch", "");
    if (!arch.equals("amd64") || !Files.exists(PROCESSOR)) {
      return System.getProperty("os.name") + " on " + arch;
    }
    try {
      List<String> flags =
          Files.readAllLines(PROCESSOR).stream()
              .filter(line -> line.startsWith("flags"))
              .findFirst()
              .map(line -> List.of(line.split("\\s+")))
              .orElse(List.of());
      return flags.containsAll(NEEDED) ? "" : "an older x86-64 processor";
    } catch (IOException e) {
      return "an unknown processor: " + e.getMessage();
    }
  }
}
