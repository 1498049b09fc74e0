package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;

/** Choices between elements of any bits. */
class WhereKernelTest {
  private static final KernelSignature SIGNATURE =
      KernelLibrary.standard().find("relaxvm.where").orElseThrow();

  private final Random random = Kernels.random(WhereKernelTest.class);

  @Test
  void elementsOfAnyBitsAreChosenAtAnyPlace() {
    for (DType dtype : List.of(DType.INT8, DType.FLOAT16, DType.FLOAT32, DType.FLOAT64)) {
      for (int round = 0; round < 60; round++) {
        int most = round % 3 == 0 ? 2600 : 150;
        check(dtype, 1 + random.nextInt(most), false);
      }
    }
  }

  @Test
  void theResultMayReplaceAnOperand() {
    for (DType dtype : List.of(DType.BOOL, DType.BFLOAT16, DType.INT32, DType.UINT64)) {
      check(dtype, 1100 + random.nextInt(100), true);
    }
  }

  private void check(DType dtype, int count, boolean inPlace) {
    Tensor condition = view(DType.BOOL, count, true);
    Tensor a = view(dtype, count, !inPlace);
    // One of them has the shape of the output.
    Tensor b = view(dtype, count, a.shape().dim(0) > 1);
    long[] wanted = new long[count];
    for (int i = 0; i < count; i++) {
      wanted[i] = bits(condition, i) != 0 ? bits(a, i) : bits(b, i);
    }
    Tensor portable = view(dtype, count, false);
    WhereKernel.run(
        KernelCall.checked(
            SIGNATURE, CallArgs.of(condition, a, b, portable), CodeChoice.portable()));
    Tensor out = inPlace ? a : view(dtype, count, false);
    Kernels.call("where", condition, a, b, out);
    for (int i = 0; i < count; i++) {
      String what = "%s at %d of %d".formatted(dtype, i, count);
      assertThat(bits(out, i)).as(what).isEqualTo(wanted[i]);
      assertThat(bits(portable, i)).as("portable: " + what).isEqualTo(wanted[i]);
    }
  }

  /** Elements of random bits: side by side, with gaps, backwards, or one for all. */
  private Tensor view(DType dtype, int count, boolean orOne) {
    long first = random.nextInt(4);
    int kind = random.nextInt(8);
    long step = kind == 0 ? 3 : kind == 1 ? -2 : 1;
    int length = orOne && kind == 2 ? 1 : count;
    Tensor block = Tensor.zeros(dtype, Shape.of(first + Math.abs(step) * length));
    MemorySegment memory = block.segment();
    for (long at = 0; at < memory.byteSize(); at++) {
      boolean few = dtype.equals(DType.BOOL);
      memory.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt(few ? 2 : 256));
    }
    first += step < 0 ? -step * (length - 1) : 0;
    return block.stridedView(Shape.of(length), new long[] {step}, first);
  }

  private static long bits(Tensor tensor, int index) {
    MemorySegment memory = HostDevice.segmentOf(tensor.storage().memory());
    int bytes = tensor.dtype().elementByteSize();
    long place = tensor.shape().dim(0) == 1 ? 0 : index * tensor.strides()[0];
    long at = tensor.byteOffset() + place * bytes;
    return switch (bytes) {
      case 1 -> memory.get(ValueLayout.JAVA_BYTE, at);
      case 2 -> memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
      case 4 -> memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
      default -> memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
    };
  }
}
