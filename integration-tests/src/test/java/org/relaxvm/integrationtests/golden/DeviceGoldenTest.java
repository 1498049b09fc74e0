package org.relaxvm.integrationtests.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.cli.check.CaseFile;
import org.relaxvm.cli.check.CaseRun;
import org.relaxvm.cli.check.CaseRunner;
import org.relaxvm.integrationtests.devices.EmulatedGpus;
import org.relaxvm.integrationtests.devices.NeedsDevice;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.AllocatorKind;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/** The golden libraries with kernels for devices: these run there, their host code beside them. */
class DeviceGoldenTest {
  @Test
  @NeedsDevice("opencl:0")
  void openClC() {
    runsAsTheOriginalDid("07-mlp-opencl", "opencl:0");
  }

  @Test
  @NeedsDevice("vulkan:0")
  void spirv() {
    runsAsTheOriginalDid("08-mlp-vulkan", "vulkan:0");
  }

  @Test
  void cudaC() {
    try (BackendRegistry registry = EmulatedGpus.open()) {
      runsAsTheOriginalDid("09-mlp-cuda", "cuda:0", builder -> builder.registry(registry));
    }
  }

  private static void runsAsTheOriginalDid(String golden, String device) {
    runsAsTheOriginalDid(golden, device, builder -> builder);
  }

  private static void runsAsTheOriginalDid(
      String golden, String device, UnaryOperator<VmBuilder> settings) {
    Path folder = NativeGolden.require(golden);
    CaseFile file = CaseFile.read(folder);
    Program program = NativeGolden.program(folder);
    for (AllocatorKind allocator : AllocatorKind.values()) {
      try (VirtualMachine vm =
          settings
              .apply(VirtualMachine.builder(program))
              .device(device)
              .allocator(allocator)
              .build()) {
        long constants = vm.memoryStats().getFirst().liveBlocks();
        CaseRunner runner = new CaseRunner(vm, file);
        for (CaseRun run : file.runs()) {
          assertThat(runner.failure(run)).as(run.toString()).isEqualTo(Optional.empty());
        }
        assertThat(vm.memoryStats().getFirst().liveBlocks()).isEqualTo(constants);
      }
    }
  }
}
