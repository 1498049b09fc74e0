package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.integrationtests.golden.Golden;

/** The command on libraries that Apache TVM exported, with their own kernels. */
class ExportedLibraryCommandTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "01-bytecode",
        "02-ones-cast-dynamic",
        "03-mlp-dynamic-batch",
        "04-mlp-compiled-mode",
        "05-cnn",
        "06-control-flow",
        "10-ones-cast-fused",
        "11-mlp-fused",
        "12-cnn-fused"
      })
  void checkFindsTheResultsOfTheOriginal(String name) {
    requireMachine();
    CommandRun run = CommandRun.of("check", Golden.require(name));
    assertThat(run.out()).endsWith("0 failed\n").doesNotContain("0 passed");
    assertThat(run.code()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"07-mlp-opencl", "08-mlp-vulkan", "09-mlp-cuda"})
  void aDeviceThatWasNotAskedForIsNamed(String name) {
    requireMachine();
    String kind = name.substring(name.lastIndexOf('-') + 1);
    CommandRun run = CommandRun.of("run", Golden.require(name).resolve("model.so"), "x");
    assertThat(run.code()).isNotZero();
    assertThat(run.err())
        .contains(
            "to do: give the virtual machine the device " + kind + ", which a backend here offers")
        .doesNotContain("\tat ");
  }

  /** The golden libraries are for one kind of machine. */
  private static void requireMachine() {
    String machine = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
    boolean fits = machine.equals("Linux on amd64");
    if (!fits) {
      System.out.println("skipped: golden libraries are for Linux on amd64, this is " + machine);
    }
    Assumptions.assumeTrue(fits, "golden libraries are for Linux on amd64");
  }
}
