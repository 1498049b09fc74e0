package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.PrimFunc;

/** Arithmetic on the extents of a program, which lie in a buffer of int64, as a kernel. */
class ShapeFunctionsTest {
  private static final int CALLS = 20_000;
  private static final int ROUNDS = 20;

  private static final PrimFunc SHAPES =
      GeneratedKernels.kernel(
          """
          @T.prim_func(private=True)
          def shape_func(H: T.Buffer((12,), "int64")):
              H[2] = H[0] * H[1] + 7
              H[3] = (H[0] + 3) // 4
              H[4] = 0 - (0 - H[1]) // 16
              H[5] = T.min(H[0], H[1]) - T.max(H[2], 3)
              H[6] = T.Select(H[0] < H[1], H[0] * 2, H[1] % 5)
              H[7] = T.if_then_else(H[1] == 0, -1, H[0] // T.max(H[1], 1))
              H[8] = T.truncmod(H[5], 7) + H[5] / 7
              H[9] = H[5] % 7
              H[10] = H[2] * 4611686018427387904
              H[11] = T.Cast("int64", T.Cast("int32", H[2]))
          """);

  private static Tensor heap(long a, long b) {
    long[] values = new long[12];
    values[0] = a;
    values[1] = b;
    return Tensor.of(values, Shape.of(12));
  }

  @Test
  void shapesAreWhatTheEvaluatorSays() {
    long[] extents = {0, 1, 16, 17, 1L << 40, -3};
    for (long a : extents) {
      for (long b : extents) {
        GeneratedKernels.assertSame(SHAPES, () -> List.of(heap(a, b)));
      }
    }
  }

  @Test
  void aCallCostsLittle() {
    PackedFunc function = GeneratedKernels.compiler().compile(SHAPES, name -> Optional.empty());
    Tensor heap = heap(5, 9);
    CallArgs args = CallArgs.of(heap);
    CallResult result = new CallResult();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < CALLS; i++) {
        function.call(args, result);
      }
      least = Math.min(least, System.nanoTime() - start);
    }
    System.out.println("a call of a shape function takes " + least / CALLS + " ns");
    assertThat(heap.longAt(2)).isEqualTo(52);
  }
}
