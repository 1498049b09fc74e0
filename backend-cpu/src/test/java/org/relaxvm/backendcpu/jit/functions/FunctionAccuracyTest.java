package org.relaxvm.backendcpu.jit.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.backendcpu.vector.math.BigMath;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.tir.expr.Intrinsic;

/**
 * How far functions are off, in units of the last place of the true value: of float64 at random
 * arguments beside values with 40 digits, of float32 over all bit patterns at a fixed distance,
 * which is 1 at long effort, and a hundred thousand random ones.
 */
@Tag("effort")
class FunctionAccuracyTest {
  private static final BigDecimal ONE = BigDecimal.ONE;
  private static final BigDecimal TWO = BigDecimal.TWO;

  private final long seed = Long.getLong("relaxvm.seed", System.nanoTime());
  private final Machine machine = Machine.all().getLast();

  /** Where arguments come from. */
  private enum Range {
    ALL,
    POSITIVE,
    ABOVE_ONE,
    TO_ONE
  }

  private record Case(
      Intrinsic op, double bound, Range range, double largest, UnaryOperator<BigDecimal> truth) {}

  @TestFactory
  Stream<DynamicTest> functionsOfFloat64KeepTheirStatedAccuracy() {
    return Stream.of(
            new Case(Intrinsic.EXP, 1.2, Range.ALL, 700, BigMath::exp),
            new Case(Intrinsic.LOG, 1, Range.POSITIVE, 1e300, BigMath::log),
            new Case(Intrinsic.TANH, 1.5, Range.ALL, 19, FunctionAccuracyTest::tanh),
            new Case(Intrinsic.SIGMOID, 2.4, Range.ALL, 700, FunctionAccuracyTest::sigmoid),
            new Case(Intrinsic.ERF, 1.4, Range.ALL, 5.8, x -> ONE.subtract(BigMath.erfc(x))),
            new Case(Intrinsic.SIN, 1.6, Range.ALL, 1e12, BigMath::sin),
            new Case(Intrinsic.COS, 1.6, Range.ALL, 1e12, BigMath::cos),
            new Case(Intrinsic.TAN, 2.6, Range.ALL, 1e12, FunctionAccuracyTest::tan),
            new Case(Intrinsic.ASIN, 1.4, Range.TO_ONE, 1, BigMath::asin),
            new Case(Intrinsic.ACOS, 1.4, Range.TO_ONE, 1, BigMath::acos),
            new Case(Intrinsic.ATAN, 2, Range.ALL, 1e9, BigMath::atan),
            new Case(Intrinsic.SINH, 2, Range.ALL, 700, FunctionAccuracyTest::sinh),
            new Case(Intrinsic.COSH, 2, Range.ALL, 700, FunctionAccuracyTest::cosh),
            new Case(Intrinsic.ASINH, 2.2, Range.ALL, 1e200, FunctionAccuracyTest::asinh),
            new Case(Intrinsic.ACOSH, 2.5, Range.ABOVE_ONE, 1e100, FunctionAccuracyTest::acosh),
            new Case(Intrinsic.ATANH, 2.5, Range.TO_ONE, 1, FunctionAccuracyTest::atanh),
            new Case(
                Intrinsic.RSQRT,
                1.6,
                Range.POSITIVE,
                1e300,
                x -> BigMath.divide(ONE, BigMath.sqrt(x))))
        .map(test -> DynamicTest.dynamicTest(test.op().text(), () -> measure(test)));
  }

  private void measure(Case test) {
    int samples = Effort.chosen().pick(500, 2_000, 400_000);
    Random random = new Random(seed);
    double[] x = new double[samples];
    for (int i = 0; i < samples; i++) {
      do {
        x[i] = argument(random, test.range(), i);
      } while (Math.abs(x[i]) > test.largest());
    }
    double[] results = loop(test.op(), 64).run(machine, x, x);
    double worst = 0;
    double at = 0;
    for (int i = 0; i < samples; i++) {
      BigDecimal truth = test.truth().apply(BigMath.of(x[i]));
      double off = distance(truth, results[i]);
      if (off > worst) {
        worst = off;
        at = x[i];
      }
    }
    report(test.op(), 64, worst, at, test.bound());
  }

  private ElementLoop loop(Intrinsic op, int bits) {
    Type type = Type.floats(bits, machine.target().vectorBits() / bits);
    return FloatFunctionsTest.loop(op, type, machine);
  }

  private void report(Intrinsic op, int bits, double worst, Object at, double bound) {
    System.out.printf(
        "%s of float%d on %s: at most %.4f units in the last place, at %s (-Drelaxvm.seed=%d)%n",
        op.text(), bits, machine, worst, at, seed);
    assertThat(worst).as("%s of float%d at %s", op.text(), bits, at).isLessThanOrEqualTo(bound);
  }

  private static double distance(BigDecimal truth, double result) {
    double ulp = Math.ulp(truth.doubleValue());
    return BigMath.of(result).subtract(truth).abs().doubleValue() / ulp;
  }

  private static double argument(Random random, Range range, int number) {
    double sign = random.nextBoolean() ? 1 : -1;
    double x =
        switch (number % 5) {
          case 0 -> random.nextGaussian();
          case 1 -> random.nextGaussian() * 8;
          case 2 -> Math.scalb(sign * (1 + random.nextDouble()), random.nextInt(70) - 30);
          case 3 -> sign * random.nextDouble() * 750;
          default -> sign * random.nextDouble();
        };
    return switch (range) {
      case ALL -> x;
      case POSITIVE -> number % 5 == 4 ? 1 + x / 64 : Math.abs(x);
      case ABOVE_ONE -> 1 + Math.abs(x);
      case TO_ONE -> Math.abs(x) < 1 ? x : sign * (1 - Math.scalb(1.0, -random.nextInt(40) - 1));
    };
  }

  @TestFactory
  Stream<DynamicTest> functionsOfFloat32KeepTheirStatedAccuracy() {
    return FloatFunctionsTest.functions(1).stream()
        .filter(op -> op.rule() == Intrinsic.Rule.FLOAT)
        .map(op -> DynamicTest.dynamicTest(op.text(), () -> measureFloat32(op)));
  }

  private void measureFloat32(Intrinsic op) {
    ElementLoop loop = loop(op, 32);
    long step = Effort.chosen().pick(20_011, 2_003, 1);
    int block = 1 << 17;
    double worst = 0;
    double at = 0;
    Random random = new Random(seed);
    for (long first = -1; first < 1L << 32; first += first < 0 ? 1 : block * step) {
      double[] x = new double[first < 0 ? 100_000 : block];
      for (int i = 0; i < x.length; i++) {
        x[i] =
            first < 0
                ? (float) (random.nextGaussian() * 8)
                : Float.intBitsToFloat((int) Math.min(first + i * step, 0xFFFF_FFFFL));
      }
      double[] results = loop.run(machine, x, x);
      for (int i = 0; i < x.length; i++) {
        double off = Ulps.between(Evaluated.apply(op, x[i]), results[i], 32);
        if (off > worst) {
          worst = off;
          at = x[i];
        }
      }
    }
    report(op, 32, worst, (float) at, Ulps.bound(op, 32));
  }

  @Test
  void powersOfFloat64KeepTheirStatedAccuracy() {
    int count = Effort.chosen().pick(1_000, 4_000, 100_000);
    Random random = new Random(seed);
    double[] x = new double[count];
    double[] y = new double[count];
    for (int i = 0; i < count; i++) {
      boolean isNear = i % 2 == 0;
      x[i] = isNear ? 1 + random.nextGaussian() / 64 : Math.exp(random.nextGaussian() * 8);
      double most = 700 / Math.abs(Math.log(x[i]));
      y[i] = Math.min(most, 1e6) * (random.nextDouble() * 2 - 1);
    }
    double[] results = loop(Intrinsic.POW, 64).run(machine, x, y);
    double worst = 0;
    int at = 0;
    for (int i = 0; i < count; i++) {
      BigDecimal log = logarithm(BigMath.of(x[i]));
      double off = distance(BigMath.exp(log.multiply(BigMath.of(y[i]))), results[i]);
      if (off > worst) {
        worst = off;
        at = i;
      }
    }
    report(Intrinsic.POW, 64, worst, List.of(x[at], y[at]), 0.7);
  }

  @Test
  void powersOfFloat32AreOffByLittleMoreThanTheLastRounding() {
    int count = Effort.chosen().pick(200_000, 200_000, 10_000_000);
    Random random = new Random(seed);
    double[] x = new double[count];
    double[] y = new double[count];
    for (int i = 0; i < count; i++) {
      double size = Math.exp(random.nextGaussian() * (i % 3 == 0 ? 20 : 1));
      boolean isInteger = i % 2 == 0;
      x[i] = (float) (isInteger && random.nextBoolean() ? -size : size);
      y[i] = isInteger ? random.nextInt(41) - 20 : (float) (random.nextGaussian() * 8);
    }
    double[] results = loop(Intrinsic.POW, 32).run(machine, x, y);
    double worst = 0;
    int at = 0;
    for (int i = 0; i < count; i++) {
      double off = Ulps.between(Evaluated.apply(Intrinsic.POW, x[i], y[i]), results[i], 32);
      if (off > worst) {
        worst = off;
        at = i;
      }
    }
    report(Intrinsic.POW, 32, worst, List.of(x[at], y[at]), 0.501);
  }

  @Test
  void anglesOfAllSizesAreReduced() {
    Random random = new Random(seed);
    int count = Effort.chosen().pick(20_000, 100_000, 1_000_000);
    double[] x = new double[count];
    for (int i = 0; i < count; i++) {
      x[i] = Math.scalb(1 + random.nextDouble(), random.nextInt(1024));
    }
    // The double closest to a multiple of pi/2, and next to it.
    x[0] = 0x1.6ac5b262ca1ffp849;
    x[1] = -0x1.6ac5b262ca1ffp849;
    x[2] = Double.MAX_VALUE;
    for (Intrinsic op : new Intrinsic[] {Intrinsic.SIN, Intrinsic.COS, Intrinsic.TAN}) {
      double[] results = loop(op, 64).run(machine, x, x);
      for (int i = 0; i < count; i++) {
        double off = Ulps.between(Evaluated.apply(op, x[i]), results[i], 64);
        assertThat(off).as("%s(%s)", op.text(), x[i]).isLessThan(Ulps.bound(op, 64));
      }
    }
    assertThat(Arrays.stream(loop(Intrinsic.COS, 64).run(machine, x, x)).limit(1))
        .allSatisfy(y -> assertThat(Math.abs(y)).isLessThan(1e-18));
  }

  /** The logarithm in two steps of Halley's iteration. */
  private static BigDecimal logarithm(BigDecimal x) {
    BigDecimal y = BigMath.log(x);
    BigDecimal e = BigMath.exp(y);
    return y.add(BigMath.divide(TWO.multiply(x.subtract(e)), x.add(e)));
  }

  private static BigDecimal tanh(BigDecimal x) {
    BigDecimal e = BigMath.exp(x.multiply(TWO));
    return BigMath.divide(e.subtract(ONE), e.add(ONE));
  }

  private static BigDecimal sinh(BigDecimal x) {
    BigDecimal e = BigMath.exp(x);
    return BigMath.divide(e.subtract(BigMath.divide(ONE, e)), TWO);
  }

  private static BigDecimal cosh(BigDecimal x) {
    BigDecimal e = BigMath.exp(x);
    return BigMath.divide(e.add(BigMath.divide(ONE, e)), TWO);
  }

  private static BigDecimal tan(BigDecimal x) {
    return BigMath.divide(BigMath.sin(x), BigMath.cos(x));
  }

  private static BigDecimal asinh(BigDecimal x) {
    BigDecimal size = x.abs();
    BigDecimal root = BigMath.sqrt(size.multiply(size).add(ONE));
    BigDecimal y = BigMath.log(size.add(root));
    return x.signum() < 0 ? y.negate() : y;
  }

  private static BigDecimal acosh(BigDecimal x) {
    return BigMath.log(x.add(BigMath.sqrt(x.multiply(x).subtract(ONE))));
  }

  private static BigDecimal atanh(BigDecimal x) {
    return BigMath.divide(BigMath.log(BigMath.divide(ONE.add(x), ONE.subtract(x))), TWO);
  }

  private static BigDecimal sigmoid(BigDecimal x) {
    return BigMath.divide(ONE, ONE.add(BigMath.exp(x.negate())));
  }
}
