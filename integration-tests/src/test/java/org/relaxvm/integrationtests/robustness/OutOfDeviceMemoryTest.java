package org.relaxvm.integrationtests.robustness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceBackendProvider;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.Limits;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** A device whose memory ends in the middle of a call: nothing stays in use, and others fit. */
class OutOfDeviceMemoryTest {
  private static final int FITS = 10;
  private static final int TOO_MANY = 2_000;

  private static BackendRegistry registry() {
    return BackendRegistry.builder()
        .add(new ReferenceBackendProvider())
        .add(new CpuBackendProvider())
        .add(new BuiltinFunctions())
        .build();
  }

  /** What is refused first: on the CPU it may be memory of a GEMM, which counts, too. */
  private static String refused(String device) {
    String tensor = "32000 bytes with .*\n  at function empty, pc 1: call vm.builtin.alloc_storage";
    String packed = "33280 bytes with .*\n  at function layer, pc 5: call relaxvm.matmul";
    return device.equals("cpu") ? "(" + tensor + "|" + packed + ")" : tensor;
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "reference"})
  void aBudgetThatIsUsedUp(String device) {
    try (BackendRegistry registry = registry();
        VirtualMachine vm =
            LayersProgram.builder(registry)
                .device(device)
                .limits(Limits.defaults().withMemoryBudget(100_000))
                .build();
        Tensor small = vm.upload(LayersProgram.input(FITS));
        Tensor large = vm.upload(LayersProgram.input(TOO_MANY))) {
      byte[] expected = call(vm, small);
      long live = vm.memoryStats().getFirst().liveBlocks();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> call(vm, large))
            .isInstanceOf(DeviceOutOfMemoryException.class)
            .hasMessageMatching(
                "(?s)out of memory on " + device + ":0: requested " + refused(device) + ".*");
        assertThat(vm.memoryStats().getFirst().liveBlocks()).isEqualTo(live);
        assertThat(call(vm, small)).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "reference"})
  void aBlockThatTheDeviceHasNot(String device) {
    String text =
        """
        relaxvm-text 1
        @main(n):
          call vm.builtin.alloc_storage in: %vm, shape[64], i0, dtype float32, "global" dst: %1
          if %0 small
          call vm.builtin.alloc_storage in: %vm, shape[281474976710656], i0, dtype float32,\
         "global" dst: %2
        small:
          call vm.builtin.alloc_tensor in: %1, i0, shape[8], dtype float32 dst: %3
          ret %3
        """;
    try (BackendRegistry registry = registry();
        VirtualMachine vm =
            VirtualMachine.builder(Program.of(Assembler.parse(text)))
                .registry(registry)
                .device(device)
                .build()) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> vm.function("main").call(1))
            .isInstanceOf(DeviceOutOfMemoryException.class)
            .hasMessageContaining("requested 1125899906842624 bytes");
        assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
        try (Value result = vm.function("main").call(0)) {
          assertThat(result.asTensor().elementCount()).isEqualTo(8);
        }
      }
    }
  }

  private static byte[] call(VirtualMachine vm, Tensor input) {
    try (Value result = vm.function("main").call(input, 3)) {
      return LayersProgram.bytes(result.object());
    }
  }
}
