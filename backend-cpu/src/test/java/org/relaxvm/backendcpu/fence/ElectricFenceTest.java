package org.relaxvm.backendcpu.fence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;

/** Machine code accesses no byte outside of its tensors. */
@Tag("effort")
class ElectricFenceTest {
  private static final int KERNELS = Effort.chosen().pick(50, 500, 100_000);
  private static final int SCHEDULES = Effort.chosen().pick(25, 200, 10_000);

  private record Ended(int status, String output) {
    /** What was printed last. */
    String tail() {
      return output.substring(Math.max(0, output.length() - 4_000));
    }
  }

  @BeforeEach
  void needsMachineCodeAndLinux() {
    assumeTrue(MachineCode.current().isAvailable(), MachineCode.current().reason());
    assumeTrue(
        System.getProperty("os.name", "").equals("Linux"), "pages are protected as on Linux");
  }

  @ParameterizedTest
  @ValueSource(strings = {"end", "start"})
  void aByteBeyondATensorEndsTheProcess(String side) throws Exception {
    Ended run = run(side, "all", "self-test");
    assertThat(run.output()).contains("reads a byte").contains("SIGSEGV");
    assertThat(run.status()).isNotZero();
  }

  @ParameterizedTest
  @CsvSource({"end, all", "start, all", "end, v3", "start, v3"})
  void kernelsAndSchedulesStayInsideOfTheirTensors(String side, String features) throws Exception {
    RandomCases cases = RandomCases.of(SCHEDULES);
    System.out.println("ElectricFenceTest: " + side + ", " + features + ", " + cases);
    Ended run =
        run(
            side,
            features,
            Integer.toString(KERNELS),
            Integer.toString(SCHEDULES),
            Long.toString(cases.seed()));
    assertThat(run.status()).as(run.tail()).isZero();
    run.output()
        .lines()
        .filter(line -> line.contains("machine code: "))
        .forEach(line -> System.out.println("electric fence, " + side + ", " + line));
    assertThat(run.output()).endsWith("done\n");
  }

  private static Ended run(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules",
                "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=/dev/null",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                FencedRun.class.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), output);
  }
}
