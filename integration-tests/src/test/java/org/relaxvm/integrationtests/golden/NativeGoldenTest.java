package org.relaxvm.integrationtests.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.Module;
import org.relaxvm.cli.check.CaseFile;
import org.relaxvm.cli.check.CaseRun;
import org.relaxvm.cli.check.CaseRunner;
import org.relaxvm.vmcore.program.HostLinks;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmFunction;

/** Golden libraries run their own code: results, errors, and what their checks of arguments say. */
class NativeGoldenTest {
  private static final String RELU =
      "relu(lv1: Tensor([n, T.int64(128)], float32), compute: Tensor([n, T.int64(128)], float32))";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "02-ones-cast-dynamic",
        "03-mlp-dynamic-batch",
        "04-mlp-compiled-mode",
        "05-cnn",
        "06-control-flow",
        "10-ones-cast-fused",
        "11-mlp-fused",
        "12-cnn-fused"
      })
  void runsAsTheOriginalDid(String name) {
    Path folder = NativeGolden.require(name);
    CaseFile file = CaseFile.read(folder);
    try (VirtualMachine vm = VirtualMachine.builder(NativeGolden.program(folder)).build()) {
      CaseRunner runner = new CaseRunner(vm, file);
      for (CaseRun run : file.runs()) {
        assertThat(runner.failure(run)).as(run.toString()).isEqualTo(Optional.empty());
      }
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }

  @Test
  void argumentsAreCheckedByTheCodeItself() {
    Tensor row = floats(1, 128);
    assertRefused(ErrorKind.TYPE, "Expected 2 arguments when calling:\n  `%s`", row);
    assertRefused(
        ErrorKind.TYPE,
        "Mismatched type on argument #0 when calling:\n  `%s`,\n  expected Tensor",
        7,
        row);
    assertRefused(
        ErrorKind.TYPE,
        "Mismatched type on argument #1 when calling:\n  `%s`,\n  expected Tensor",
        row,
        null);
    assertRefused(
        ErrorKind.TYPE,
        "Mismatched type on argument #1 when calling:\n  `%s`,\n  expected Tensor",
        row,
        "text");
    assertRefused(
        ErrorKind.VALUE,
        "Mismatched lv1.ndim on argument #0 when calling:\n  `%s`,\n  expected 2",
        floats(128),
        row);
    assertRefused(
        ErrorKind.VALUE,
        "Mismatched lv1.ndim on argument #0 when calling:\n  `%s`,\n  expected 2",
        Shape.of(1, 128),
        row);
    assertRefused(
        ErrorKind.TYPE,
        "Mismatched lv1.dtype on argument #0 when calling:\n  `%s`,\n  expected float32",
        Tensor.zeros(DType.INT32, Shape.of(1, 128)),
        row);
    assertRefused(
        ErrorKind.VALUE,
        "Mismatched lv1.strides on argument #0 when calling:\n"
            + "  `%s`,\n"
            + "  expected to be compact array",
        floats(1, 127),
        row);
    assertRefused(
        ErrorKind.VALUE,
        "Mismatched compute.shape[0] on argument #1 when calling:\n"
            + "  `%s`,\n"
            + "  expected to match lv1.shape[0]",
        floats(2, 128),
        row);
  }

  private static Tensor floats(long... extents) {
    return Tensor.zeros(DType.FLOAT32, Shape.of(extents));
  }

  private static void assertRefused(ErrorKind kind, String message, @Nullable Object... args) {
    try (Module module = module()) {
      PackedFunc relu = module.find("relu").orElseThrow();
      assertThatThrownBy(() -> relu.invoke(args))
          .isInstanceOf(CallException.class)
          .hasMessage(message.formatted(RELU))
          .extracting(e -> ((CallException) e).kind())
          .isEqualTo(kind);
      // The error leaves nothing behind.
      relu.invoke(floats(3, 128), floats(3, 128)).close();
    }
  }

  private static Module module() {
    return NativeGolden.program(NativeGolden.require("03-mlp-dynamic-batch"))
        .hostCode()
        .getFirst()
        .load(new HostLinks(List.of(), _ -> Optional.empty()));
  }

  @Test
  void emptyTensorsAndThoseWithStridesAreTaken() {
    try (Module module = module()) {
      PackedFunc relu = module.find("relu").orElseThrow();
      relu.invoke(floats(0, 128), floats(0, 128)).close();
      Tensor none = Tensor.wrap(MemorySegment.NULL.asSlice(0, 0), DType.FLOAT32, Shape.of(0, 128));
      relu.invoke(none, none).close();

      float[] values = new float[4 * 256];
      for (int i = 0; i < values.length; i++) {
        values[i] = i % 3 - 1;
      }
      Tensor whole = Tensor.of(values, Shape.of(4, 256));
      Tensor wide = whole.stridedView(Shape.of(4, 128), new long[] {256, 2}, 0);
      Tensor out = floats(4, 128);
      relu.invoke(wide, out).close();
      float[] got = out.toFloatArray();
      for (int i = 0; i < got.length; i++) {
        assertThat(got[i]).isEqualTo(Math.max(0, values[i / 128 * 256 + i % 128 * 2]));
      }
      // An extent of 1 may have any stride.
      Tensor one = whole.stridedView(Shape.of(1, 128), new long[] {7, 1}, 0);
      relu.invoke(one, floats(1, 128)).close();
    }
  }

  @Test
  void memoryThatIsGoneIsNotTouched() {
    Tensor gone;
    try (Arena arena = Arena.ofShared()) {
      gone = Tensor.wrap(arena.allocate(128 * 4, 64), DType.FLOAT32, Shape.of(1, 128));
    }
    Tensor closed = floats(1, 128);
    closed.close();
    try (Module module = module()) {
      PackedFunc relu = module.find("relu").orElseThrow();
      assertThatThrownBy(() -> relu.invoke(gone, floats(1, 128))).hasMessageContaining("closed");
      assertThatThrownBy(() -> relu.invoke(floats(1, 128), gone)).hasMessageContaining("closed");
      assertThatThrownBy(() -> relu.invoke(closed, floats(1, 128))).hasMessageContaining("closed");
    }
  }

  @Test
  void aFunctionOfAClosedVirtualMachineIsNotCalled() {
    Path folder = NativeGolden.require("03-mlp-dynamic-batch");
    VirtualMachine vm = VirtualMachine.builder(NativeGolden.program(folder)).build();
    VmFunction main = vm.function("main");
    try (VirtualMachine other = VirtualMachine.builder(NativeGolden.program(folder)).build()) {
      main.call(floats(2, 64)).close();
      vm.close();
      assertThatThrownBy(() -> main.call(floats(2, 64)))
          .isInstanceOf(RelaxException.class)
          .hasMessageContaining("closed");
      other.function("main").call(floats(2, 64)).close();
    }
  }
}
