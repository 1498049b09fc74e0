package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.backendtestkit.reference.ReferenceBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;
import org.relaxvm.cli.input.MainDevice;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** The arguments of a command go to the device that the program runs on. */
class MainDeviceTest {
  private static final Program PROGRAM =
      Program.of(Assembler.parse("relaxvm-text 1\n@main(x):\n  ret   %0\n"));

  @Test
  void tensorsAreCopiedInTuplesTooAndTheOriginalsClosed() {
    try (BackendRegistry registry =
            BackendRegistry.builder()
                .discover(MainDeviceTest.class.getClassLoader())
                .add(new ReferenceBackendProvider())
                .build();
        VirtualMachine vm =
            VirtualMachine.builder(PROGRAM).registry(registry).device("reference:0").build()) {
      Tensor x = Tensor.of(new float[] {1, 2}, Shape.of(2));
      Tuple inner = Tuple.of(Tensor.of(new float[] {3}, Shape.of(1)), null, "text");
      Tuple all = Tuple.of(x, inner, 5L);
      Tuple placed = (Tuple) Objects.requireNonNull(MainDevice.upload(vm, all));
      assertThat(all.isLive()).isFalse();
      Tensor first = (Tensor) Objects.requireNonNull(placed.get(0));
      assertThat(first.device().id()).hasToString("reference:0");
      assertThat(first.toFloatArray()).containsExactly(1, 2);
      Tuple second = (Tuple) Objects.requireNonNull(placed.get(1));
      assertThat(second.get(0)).hasToString("float32[1] on reference:0");
      assertThat(second.get(1)).isNull();
      assertThat(second.get(2)).isEqualTo("text");
      assertThat(placed.get(2)).isEqualTo(5L);
      placed.close();
      vm.trim();
      assertThat(((ReferenceDevice) registry.require("reference:0")).liveBytes()).isZero();
      assertThat(MainDevice.upload(vm, 7L)).isEqualTo(7L);
      assertThat(MainDevice.upload(vm, null)).isNull();
    }
  }

  @Test
  void nothingIsCopiedForTheHost() {
    try (VirtualMachine vm = VirtualMachine.builder(PROGRAM).build();
        Tensor x = Tensor.of(new float[] {1, 2}, Shape.of(2))) {
      assertThat(MainDevice.upload(vm, x)).isSameAs(x);
      assertThat(x.isLive()).isTrue();
    }
  }
}
