package org.relaxvm.tir.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.verify.Verifier;

/** Random primitives on random kernels: what is legal keeps what the kernel computes. */
class RandomScheduleTest {
  private static final int SCHEDULES = Integer.getInteger("relaxvm.schedules", 2000);
  private static final int MOST_PRIMITIVES = 10;

  private final long seed = Long.getLong("relaxvm.seed", System.nanoTime());
  private final Random random = new Random(seed);
  // How often each primitive was legal.
  private final Map<String, Integer> kinds = new TreeMap<>();

  @Test
  void keepWhatKernelsCompute() {
    System.out.println("RandomScheduleTest: -Drelaxvm.seed=" + seed);
    int applied = 0;
    for (int i = 0; i < SCHEDULES; i++) {
      applied += check(i);
    }
    System.out.println("RandomScheduleTest: " + kinds);
    // Else the test would be about nothing.
    assertThat(applied).isGreaterThan(SCHEDULES);
  }

  private int check(int number) {
    boolean exact = random.nextBoolean();
    PrimFunc kernel = kernel(exact ? DType.INT32 : DType.FLOAT32);
    RandomPrimitives primitives = new RandomPrimitives(random, kernel);
    int count = 1 + random.nextInt(MOST_PRIMITIVES);
    for (int i = 0; i < count; i++) {
      primitives.apply();
    }
    PrimFunc scheduled = primitives.schedule().function();
    String what = "schedule " + number + " of seed " + seed + ": " + primitives.applied();
    try {
      Verifier.verify(scheduled);
      List<Tensor> inputs = inputs(kernel, exact);
      double[] expected = run(kernel, inputs, false);
      for (boolean reverse : new boolean[] {false, true}) {
        double[] got = run(scheduled, inputs, reverse);
        for (int i = 0; i < expected.length; i++) {
          double tolerance = exact ? 0 : 1e-5 * Math.max(1, Math.abs(expected[i]));
          assertThat(Math.abs(got[i] - expected[i])).as(what).isLessThanOrEqualTo(tolerance);
        }
      }
    } catch (RuntimeException e) {
      throw new AssertionError(what, e);
    }
    for (String one : primitives.applied()) {
      kinds.merge(one.substring(0, one.indexOf(' ')), 1, Integer::sum);
    }
    return primitives.applied().size();
  }

  private PrimFunc kernel(DType dtype) {
    if (!dtype.isFloat() && random.nextBoolean()) {
      return RandomKernels.of(random);
    }
    PrimExpr depth = random.nextBoolean() ? IntImm.of(1 + random.nextInt(9)) : Var.index("k");
    return switch (random.nextInt(dtype.isFloat() ? 4 : 2)) {
      case 0 -> Kernels.matmul(dtype, depth);
      case 1 -> Kernels.stencil(dtype);
      case 2 -> Kernels.chain();
      default -> Kernels.softmax();
    };
  }

  /** All arguments but the output. */
  private List<Tensor> inputs(PrimFunc kernel, boolean exact) {
    List<Tensor> inputs = new ArrayList<>();
    Extents extents = new Extents(random);
    for (Buffer buffer : kernel.buffers()) {
      Shape shape = Shape.of(extents.of(buffer));
      int count = (int) shape.elementCount();
      if (exact) {
        int[] values = random.ints(count, -9, 10).toArray();
        inputs.add(Tensor.of(values, shape));
      } else {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
          values[i] = random.nextFloat() * 2 - 1;
        }
        inputs.add(Tensor.of(values, shape));
      }
    }
    return inputs;
  }

  /** Runs a kernel into a new last argument. */
  private static double[] run(PrimFunc kernel, List<Tensor> arguments, boolean reverse) {
    List<Tensor> args = new ArrayList<>(arguments);
    Tensor last = args.getLast();
    args.set(args.size() - 1, Tensor.zeros(last.dtype(), last.shape()));
    new Evaluator(name -> Optional.empty(), reverse).run(kernel, args);
    return args.getLast().toDoubleArray();
  }
}
