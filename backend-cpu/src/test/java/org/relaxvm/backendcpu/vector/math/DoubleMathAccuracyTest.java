package org.relaxvm.backendcpu.vector.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.backendcpu.element.DoubleLanes;
import org.relaxvm.backendcpu.element.UnaryOp;
import org.relaxvm.testsupport.Effort;

/**
 * How far the functions of float64 are off, in units of the last place of the true value, at random
 * arguments. What {@code docs/benchmarks.md} states was measured with 400,000; bounds are above it,
 * since each run chooses other arguments.
 */
@Tag("effort")
class DoubleMathAccuracyTest {
  private static final BigDecimal ONE = BigDecimal.ONE;
  private static final BigDecimal TWO = BigDecimal.TWO;

  /** Where arguments come from. */
  private enum Range {
    ALL,
    POSITIVE,
    ABOVE_ONE,
    TO_ONE
  }

  private record Case(
      UnaryOp op, double bound, Range range, double largest, UnaryOperator<BigDecimal> truth) {}

  @TestFactory
  Stream<DynamicTest> functionsKeepTheirStatedAccuracy() {
    return Stream.of(
            new Case(UnaryOp.EXP, 1.2, Range.ALL, 700, BigMath::exp),
            new Case(UnaryOp.LOG, 1, Range.POSITIVE, 1e300, BigMath::log),
            new Case(UnaryOp.TANH, 1.5, Range.ALL, 19, DoubleMathAccuracyTest::tanh),
            new Case(UnaryOp.SIGMOID, 2.4, Range.ALL, 700, x -> sigmoid(x)),
            new Case(UnaryOp.SILU, 3.2, Range.ALL, 700, x -> x.multiply(sigmoid(x))),
            new Case(UnaryOp.GELU, 2.5, Range.ALL, 37, DoubleMathAccuracyTest::gelu),
            new Case(UnaryOp.ERF, 1.4, Range.ALL, 5.8, x -> ONE.subtract(BigMath.erfc(x))),
            new Case(UnaryOp.SIN, 1.4, Range.ALL, 999_999, BigMath::sin),
            new Case(UnaryOp.COS, 1.6, Range.ALL, 999_999, BigMath::cos),
            new Case(UnaryOp.TAN, 2.6, Range.ALL, 999_999, DoubleMathAccuracyTest::tan),
            new Case(UnaryOp.ASIN, 1.4, Range.TO_ONE, 1, BigMath::asin),
            new Case(UnaryOp.ACOS, 1.4, Range.TO_ONE, 1, BigMath::acos),
            new Case(UnaryOp.ATAN, 2, Range.ALL, 1e9, BigMath::atan),
            new Case(UnaryOp.SINH, 2, Range.ALL, 700, DoubleMathAccuracyTest::sinh),
            new Case(UnaryOp.COSH, 2, Range.ALL, 700, DoubleMathAccuracyTest::cosh),
            new Case(UnaryOp.ASINH, 2.2, Range.ALL, 1e200, DoubleMathAccuracyTest::asinh),
            new Case(UnaryOp.ACOSH, 2.5, Range.ABOVE_ONE, 1e100, DoubleMathAccuracyTest::acosh),
            new Case(UnaryOp.ATANH, 2.5, Range.TO_ONE, 1, DoubleMathAccuracyTest::atanh),
            new Case(UnaryOp.GELU_TANH, 3000, Range.ALL, 20, DoubleMathAccuracyTest::geluTanh),
            new Case(UnaryOp.SELU, 2.9, Range.ALL, 700, DoubleMathAccuracyTest::selu))
        .map(test -> DynamicTest.dynamicTest(test.op().name(), () -> measure(test)));
  }

  @TestFactory
  Stream<DynamicTest> specialArgumentsGiveWhatPortableCodeGives() {
    return Stream.of(UnaryOp.values())
        .filter(VectorDoubleLanes::hasVectors)
        .map(op -> DynamicTest.dynamicTest(op.name(), () -> compareSpecials(op)));
  }

  private static void compareSpecials(UnaryOp op) {
    double[] arguments = {
      0,
      -0.0,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      1e308,
      -1e308,
      1e18,
      -1e18,
      2,
      -2,
      800,
      -800,
      Double.MIN_VALUE,
      -Double.MIN_VALUE,
      1,
      -1
    };
    double[] results = arguments.clone();
    new VectorDoubleLanes().unary(op, results, results.length);
    double[] expected = arguments.clone();
    new DoubleLanes().unary(op, expected, expected.length);
    for (int i = 0; i < results.length; i++) {
      double tolerance = 1e-14 * Math.abs(expected[i]);
      boolean close = Math.abs(results[i] - expected[i]) <= tolerance && expected[i] != 0;
      boolean tiny = Math.abs(arguments[i]) == Double.MIN_VALUE && Math.abs(results[i]) < 1e-300;
      boolean same = Double.compare(results[i], expected[i]) == 0;
      assertThat(close || tiny || same)
          .as("%s of %s: %s, not %s", op, arguments[i], results[i], expected[i])
          .isTrue();
    }
  }

  private static void measure(Case test) {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    int samples = Effort.chosen().pick(500, 2_000, 100_000);
    Random random = new Random(seed);
    double[] arguments = new double[samples];
    for (int i = 0; i < samples; i++) {
      do {
        arguments[i] = argument(random, test.range(), i);
      } while (Math.abs(arguments[i]) > test.largest());
    }
    double[] results = arguments.clone();
    new VectorDoubleLanes().unary(test.op(), results, samples);
    double worst = 0;
    double at = 0;
    for (int i = 0; i < samples; i++) {
      BigDecimal truth = test.truth().apply(BigMath.of(arguments[i]));
      double ulp = Math.ulp(truth.doubleValue());
      double off = BigMath.of(results[i]).subtract(truth).abs().doubleValue() / ulp;
      if (off > worst) {
        worst = off;
        at = arguments[i];
      }
    }
    System.out.printf(
        "%s: at most %.3f units in the last place, at %s (-Drelaxvm.seed=%d)%n",
        test.op(), worst, at, seed);
    assertThat(worst).as("%s at %s", test.op(), at).isLessThanOrEqualTo(test.bound());
  }

  private static double argument(Random random, Range range, int number) {
    double sign = random.nextBoolean() ? 1 : -1;
    double x =
        switch (number % 5) {
          case 0 -> random.nextGaussian();
          case 1 -> random.nextGaussian() * 8;
          case 2 -> Math.scalb(sign * (1 + random.nextDouble()), random.nextInt(50) - 30);
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

  private static BigDecimal gelu(BigDecimal x) {
    BigDecimal y = BigMath.divide(x.negate(), BigMath.sqrt(TWO));
    return BigMath.divide(x.multiply(BigMath.erfc(y)), TWO);
  }

  private static BigDecimal geluTanh(BigDecimal x) {
    BigDecimal cube = x.multiply(x).multiply(x).multiply(new BigDecimal("0.044715"));
    BigDecimal root = BigMath.sqrt(BigMath.divide(TWO, BigMath.PI));
    return x.multiply(sigmoid(TWO.multiply(root).multiply(x.add(cube))));
  }

  private static BigDecimal selu(BigDecimal x) {
    BigDecimal scale = new BigDecimal("1.0507009873554805");
    BigDecimal alpha = new BigDecimal("1.6732632423543772");
    BigDecimal y = x.signum() > 0 ? x : alpha.multiply(BigMath.exp(x).subtract(ONE));
    return scale.multiply(y);
  }
}
