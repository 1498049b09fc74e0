package org.relaxvm.integrationtests.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.cli.check.CaseFile;
import org.relaxvm.cli.check.CaseRun;
import org.relaxvm.cli.check.CaseRunner;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.AllocatorKind;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/**
 * The models of the golden cases, run with the kernel library in place of their native kernels:
 * results and errors are those of the original.
 */
class GoldenModelsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "02-ones-cast-dynamic",
        "03-mlp-dynamic-batch",
        "05-cnn",
        "06-control-flow",
        "10-ones-cast-fused",
        "11-mlp-fused",
        "12-cnn-fused"
      })
  void runsAsTheOriginalDid(String name) {
    Path folder = Golden.require(name);
    CaseFile file = CaseFile.read(folder);
    Program program = Program.load(folder.resolve("executable.bin"));
    for (AllocatorKind allocator : AllocatorKind.values()) {
      try (BackendRegistry registry = BackendRegistry.discover()) {
        Map<String, PackedFunc> kernels =
            new GoldenKernels(registry.require("cpu").library()).of(name);
        VmBuilder builder = VirtualMachine.builder(program).registry(registry).allocator(allocator);
        kernels.forEach(builder::function);
        try (VirtualMachine vm = builder.build()) {
          CaseRunner runner = new CaseRunner(vm, file);
          for (CaseRun run : file.runs()) {
            assertThat(runner.failure(run)).as(run.toString()).isEqualTo(Optional.empty());
          }
          // Whatever runs did, nothing but the VM's own constants is left in use.
          assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
        }
      }
    }
  }
}
