package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.relaxvm.integrationtests.devices.EmulatedGpus;

/** The command on machines without the driver of CUDA. */
class CudaCommandTest {
  private static final String PROGRAM = "../examples/digits/digits-library.rvm";
  private static final String WHAT_TO_DO =
      "install the driver of NVIDIA and see whether 'nvidia-smi' shows the device; in a container,"
          + " start it with the device, such as 'docker run --gpus all'; where the driver lies in"
          + " a folder of its own, name that in LD_LIBRARY_PATH\n";

  @BeforeAll
  static void requireNoDriver() {
    boolean lacks = EmulatedGpus.arePlayed();
    String reason = "this machine has a driver of CUDA, and these tests are about its absence";
    if (!lacks) {
      System.out.println("CudaCommandTest skipped: " + reason);
    }
    assumeTrue(lacks, reason);
  }

  @Test
  void doctorSaysWhatToInstall() {
    CommandRun run = CommandRun.of("doctor");
    assertThat(run.out())
        .contains("  unusable cuda  ")
        .contains(
            "\n      the driver of CUDA (libcuda.so.1) cannot be loaded\n      what to do: "
                + WHAT_TO_DO)
        .contains("  ok       cpu  ");
  }

  @Test
  void runningOnADeviceSaysWhatToInstall() throws IOException {
    CommandRun run = CommandRun.of("run", PROGRAM, "random:1x1x28x28", "-d", "cuda");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .startsWith(
            "relaxvm: error: device cuda:0 cannot be used: the driver of CUDA"
                + " (libcuda.so.1) cannot be loaded\n  backend: cuda (")
        .endsWith(")\n  what to do: " + WHAT_TO_DO);
  }
}
