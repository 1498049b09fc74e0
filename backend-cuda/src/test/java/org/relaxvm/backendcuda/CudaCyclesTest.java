package org.relaxvm.backendcuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramMetadata;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Virtual machines with a device that come and go leave nothing open. */
class CudaCyclesTest {
  private static final int CYCLES = 200;

  private static final Program PROGRAM =
      Program.of(
          Assembler.parse(
              """
              @main(x):
                call  vm.builtin.alloc_storage  in: %vm, shape[12], i0, dtype uint8, "global" dst: %1
                call  vm.builtin.alloc_tensor   in: %1, i0, shape[3], dtype float32 dst: %2
                call  negated  in: %0, %2 dst: %void
                ret   %2
              """),
          ProgramMetadata.EMPTY,
          List.of(new KernelModule("cuda", NegatedKernel.image())));

  private final FakeBackend fake = new FakeBackend();

  @Test
  void nothingIsLeftOver() {
    for (int cycle = 0; cycle < CYCLES; cycle++) {
      use();
      assertThat(fake.cuda.liveHandles()).as("after cycle %d", cycle).isEmpty();
    }
    assertThat(fake.cuda.launches).hasSize(CYCLES);
  }

  private void use() {
    try (BackendRegistry registry =
            BackendRegistry.builder()
                .add(fake.provider())
                .add(new HostProvider())
                .add(new BuiltinFunctions())
                .build();
        VirtualMachine vm =
            VirtualMachine.builder(PROGRAM).registry(registry).device("cuda:0").build();
        Tensor x = vm.upload(Tensor.of(new float[] {1, 2, 3}, Shape.of(3)));
        Tensor negated = vm.function("main").call(x).asTensor()) {
      assertThat(negated.toHost().toFloatArray()).containsExactly(-1, -2, -3);
    }
  }
}
