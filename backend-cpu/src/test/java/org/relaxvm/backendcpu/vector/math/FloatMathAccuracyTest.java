package org.relaxvm.backendcpu.vector.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.UnaryOp;
import org.relaxvm.testsupport.Effort;

/**
 * How far the functions are off, in units of the last place of the true value, over all bit
 * patterns at a fixed distance, which is 1 at long effort, and a hundred thousand random ones. What
 * {@code docs/benchmarks.md} states was measured with every 1009th pattern.
 */
class FloatMathAccuracyTest {
  private static final int BLOCK = 1003;
  private static final Lanes<double[]> DOUBLES = Codecs.wideFloat(DType.FLOAT64).lanes();

  private record Case(UnaryOp op, double bound, DoubleUnaryOperator truth) {}

  @TestFactory
  Stream<DynamicTest> functionsKeepTheirStatedAccuracy() {
    return Stream.of(
            new Case(UnaryOp.EXP, 1, StrictMath::exp),
            new Case(UnaryOp.LOG, 1, StrictMath::log),
            new Case(UnaryOp.SQRT, 0.5, StrictMath::sqrt),
            new Case(UnaryOp.RSQRT, 1.6, x -> 1 / StrictMath.sqrt(x)),
            new Case(UnaryOp.TANH, 1.5, StrictMath::tanh),
            new Case(UnaryOp.SIGMOID, 2, x -> 1 / (1 + StrictMath.exp(-x))),
            new Case(UnaryOp.ERF, 1.2, x -> inDoubles(UnaryOp.ERF, x)),
            new Case(UnaryOp.GELU, 2.4, x -> inDoubles(UnaryOp.GELU, x)),
            new Case(UnaryOp.SIN, 0.6, StrictMath::sin),
            new Case(UnaryOp.COS, 0.6, StrictMath::cos),
            new Case(UnaryOp.TAN, 0.6, StrictMath::tan),
            new Case(UnaryOp.ASIN, 0.6, StrictMath::asin),
            new Case(UnaryOp.ACOS, 0.6, StrictMath::acos),
            new Case(UnaryOp.ATAN, 0.6, StrictMath::atan),
            new Case(UnaryOp.SINH, 0.6, StrictMath::sinh),
            new Case(UnaryOp.COSH, 0.6, StrictMath::cosh),
            new Case(UnaryOp.SILU, 0.6, x -> inDoubles(UnaryOp.SILU, x)),
            new Case(UnaryOp.ASINH, 0.6, x -> inDoubles(UnaryOp.ASINH, x)),
            new Case(UnaryOp.ACOSH, 0.6, x -> inDoubles(UnaryOp.ACOSH, x)),
            new Case(UnaryOp.ATANH, 0.6, x -> inDoubles(UnaryOp.ATANH, x)),
            new Case(UnaryOp.GELU_TANH, 0.6, x -> inDoubles(UnaryOp.GELU_TANH, x)),
            new Case(UnaryOp.SELU, 0.6, x -> inDoubles(UnaryOp.SELU, x)),
            new Case(UnaryOp.FLOOR, 0.6, x -> inDoubles(UnaryOp.FLOOR, x)),
            new Case(UnaryOp.CEIL, 0.6, x -> inDoubles(UnaryOp.CEIL, x)),
            new Case(UnaryOp.ROUND, 0.6, x -> inDoubles(UnaryOp.ROUND, x)),
            new Case(UnaryOp.TRUNC, 0.6, x -> inDoubles(UnaryOp.TRUNC, x)),
            new Case(UnaryOp.SIGN, 0.6, x -> inDoubles(UnaryOp.SIGN, x)),
            new Case(UnaryOp.SQUARE, 0.6, x -> inDoubles(UnaryOp.SQUARE, x)))
        .map(test -> DynamicTest.dynamicTest(test.op().name(), () -> measure(test)));
  }

  /** The function in float64, to about 15 digits. */
  private static double inDoubles(UnaryOp op, double x) {
    double[] value = {x};
    DOUBLES.unary(op, value, 1);
    return value[0];
  }

  private static void measure(Case test) {
    long step = Effort.chosen().pick(20_011, 2_003, 1);
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    Random random = new Random(seed);
    Worst worst = new Worst(test);
    for (long bits = 0; bits < 1L << 32; bits += step) {
      worst.add(Float.intBitsToFloat((int) bits));
    }
    for (int i = 0; i < 100_000; i++) {
      worst.add((float) (random.nextGaussian() * 8));
    }
    for (float special :
        new float[] {0, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
      worst.add(special);
    }
    worst.flush();
    System.out.printf(
        "%s: at most %.3f units in the last place, at %s (-Drelaxvm.seed=%d)%n",
        test.op(), worst.error, worst.at, seed);
    assertThat(worst.error).as("%s at %s", test.op(), worst.at).isLessThanOrEqualTo(test.bound());
  }

  /** Collects arguments, and computes them together as a kernel does. */
  private static final class Worst {
    private final Case test;
    private final VectorFloatLanes lanes = new VectorFloatLanes();
    private final float[] arguments = new float[BLOCK];
    private int count;
    private double error;
    private float at;

    Worst(Case test) {
      this.test = test;
    }

    void add(float x) {
      arguments[count++] = x;
      if (count == BLOCK) {
        flush();
      }
    }

    void flush() {
      float[] results = arguments.clone();
      lanes.unary(test.op(), results, count);
      for (int i = 0; i < count; i++) {
        double off = distance(test.truth().applyAsDouble(arguments[i]), results[i]);
        if (off > error) {
          error = off;
          at = arguments[i];
        }
      }
      count = 0;
    }

    private static double distance(double truth, float result) {
      if (Double.isNaN(truth) || Float.isNaN(result)) {
        return Double.isNaN(truth) && Float.isNaN(result) ? 0 : Double.POSITIVE_INFINITY;
      }
      float nearest = (float) truth;
      if (nearest == result) {
        boolean sameZero = result != 0 || 1 / nearest == 1 / result;
        return sameZero ? Math.abs(truth - result) / Math.ulp(nearest) : Double.POSITIVE_INFINITY;
      }
      if (Float.isInfinite(nearest) || Float.isInfinite(result)) {
        return Float.isInfinite(result) && Math.abs(truth) > 0x1.fffffcp127
            ? 1
            : Double.POSITIVE_INFINITY;
      }
      return Math.abs(truth - result) / Math.ulp(nearest);
    }
  }
}
