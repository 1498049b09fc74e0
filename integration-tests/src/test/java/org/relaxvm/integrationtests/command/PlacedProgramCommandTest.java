package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands with a program that is placed on a device that no machine has. */
class PlacedProgramCommandTest {
  @TempDir private Path folder;
  private Path text;

  @BeforeEach
  void writeModule() throws IOException {
    text = folder.resolve("placed.relax");
    Files.writeString(
        text,
        """
        @I.ir_module
        class Module:
            I.module_global_infos({"vdevice": [I.vdevice("npu", 0), I.vdevice("cpu", 0)]})

            @R.function
            def main(x: R.Tensor((2,), dtype="float32", vdevice="cpu:0")):
                a = R.to_vdevice(x, "npu:0")
                b = R.add(a, a)
                c = R.to_vdevice(b, "cpu:0")
                return c
        """);
  }

  @Test
  void inspectListsDevicesAllocationsAndCopies() {
    CommandRun run = CommandRun.of("inspect", text);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("\n  in   x: float32[2] on cpu:0\n")
        .contains(
            """

            Devices (2), constants on the first
              0: npu:0
              1: cpu:0

            Allocations
              main on npu:0: 1

            Copies between devices (2)
              main, instruction 2: from cpu:0 to npu:0
              main, instruction 8: from npu:0 to cpu:0
            """)
        .contains("\nKernels for npu, tir (1, ");
    assertThat(CommandRun.of("inspect", text, "--json").out())
        .contains(
            "\"placement\" : {\n    \"devices\" : [ \"npu:0\", \"cpu:0\" ],",
            "\"from\" : \"npu:0\",\n      \"to\" : \"cpu:0\",");
  }

  @Test
  void aDeviceThatIsNotThereIsAnErrorUnlessTheHostMayTakeItsPlace() {
    CommandRun refused = CommandRun.of("run", text, "random:2:float32", "--device", "cpu");
    assertThat(refused.code()).isNotZero();
    assertThat(refused.err())
        .contains(
            "the program is placed on the devices [npu:0, cpu:0], but the virtual machine is given"
                + " [cpu:0]\n  missing: npu:0\n");
    CommandRun allowed = CommandRun.of("run", text, "random:2:float32", "--allow-fallback");
    assertThat(allowed.code()).isZero();
    assertThat(allowed.out()).startsWith("float32[2] on cpu:0\n");
  }

  @Test
  void theModuleIsComparedWithTheEvaluatorOnItsOwnDevices() {
    CommandRun run = CommandRun.of("check", text);
    assertThat(run.code()).isNotZero();
    assertThat(run.err()).contains("npu");
  }
}
