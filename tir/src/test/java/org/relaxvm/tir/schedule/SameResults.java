package org.relaxvm.tir.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.verify.Verifier;

/** Runs kernels and their schedules on the same arguments. */
final class SameResults {
  private static final int[] SIZES = {0, 1, 2, 3, 5, 8, 13};

  private SameResults() {}

  /**
   * Asserts that a schedule is valid and computes what the kernel does, for symbolic extents that
   * are 0, 1, even and odd.
   */
  static void require(PrimFunc kernel, PrimFunc scheduled) {
    Verifier.verify(scheduled);
    for (int size : SIZES) {
      for (int step = 0; step < 3; step++) {
        List<Tensor> expected = arguments(kernel, size, step);
        new Evaluator().run(kernel, expected);
        for (boolean reverse : new boolean[] {false, true}) {
          List<Tensor> got = arguments(kernel, size, step);
          new Evaluator(name -> Optional.empty(), reverse).run(scheduled, got);
          for (int i = 0; i < got.size(); i++) {
            double[] want = expected.get(i).toDoubleArray();
            double[] have = got.get(i).toDoubleArray();
            assertThat(have).hasSameSizeAs(want);
            for (int k = 0; k < want.length; k++) {
              assertThat(have[k])
                  .as("argument %d, element %d, sizes from %d by %d", i, k, size, step)
                  .isCloseTo(want[k], org.assertj.core.data.Offset.offset(1e-4));
            }
          }
        }
      }
    }
  }

  /**
   * The same arguments for the same sizes: the first symbol is the size, the next one a step on.
   */
  private static List<Tensor> arguments(PrimFunc kernel, int size, int step) {
    Random random = new Random(size);
    Map<PrimExpr, Long> symbols = new HashMap<>();
    List<Tensor> tensors = new ArrayList<>();
    for (Buffer buffer : kernel.buffers()) {
      long[] extents =
          buffer.shape().stream()
              .mapToLong(
                  extent ->
                      extent instanceof IntImm known
                          ? known.value()
                          : symbols.computeIfAbsent(
                              extent, e -> (long) size + step * symbols.size()))
              .toArray();
      Shape shape = Shape.of(extents);
      int count = (int) shape.elementCount();
      if (buffer.dtype().equals(DType.INT32)) {
        tensors.add(Tensor.of(random.ints(count, -9, 10).toArray(), shape));
      } else if (buffer.dtype().equals(DType.FLOAT32)) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
          values[i] = random.nextInt(7) - 3;
        }
        tensors.add(Tensor.of(values, shape));
      } else {
        tensors.add(Tensor.zeros(buffer.dtype(), shape));
      }
    }
    return tensors;
  }
}
