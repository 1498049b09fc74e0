package org.relaxvm.backendcpu.vector.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.DoubleLanes;
import org.relaxvm.testsupport.Effort;

/**
 * Functions of two float64 beside portable code, and powers beside true values, at random operands
 * of each kind.
 */
class DoublePairsTest {
  private static final double POWER_BOUND = 0.7;
  // Rounded to 53 bits first, then to the fewer that the result has.
  private static final double SMALL_POWER_BOUND = 0.85;
  private static final double INFINITE = Double.POSITIVE_INFINITY;
  private static final double[] SPECIAL = {
    0,
    -0.0,
    1,
    -1,
    0.5,
    -0.5,
    2,
    -2,
    3,
    -3,
    2.5,
    -2.5,
    0x1p51 + 0.5,
    0x1p52 + 1,
    -0x1p52 - 1,
    0x1p53 - 1,
    -0x1p53 + 1,
    0x1p53,
    0x1p53 + 2,
    -0x1p60,
    1023,
    1024,
    -1022,
    -1074,
    -1075,
    -1076,
    1e18,
    1e300,
    -1e300,
    1e-300,
    -1e-300,
    5e-310,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MIN_NORMAL,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    1 + 0x1p-52,
    1 - 0x1p-53,
    -1 - 0x1p-52,
    -1 + 0x1p-53,
    Double.NaN,
    INFINITE,
    -INFINITE
  };

  private final long seed = Long.getLong("relaxvm.seed", System.nanoTime());
  private final int samples = Effort.chosen().pick(500, 2_000, 100_000);
  private final Random random = new Random(seed);

  @Test
  void powersOfAllSizesAreOffByLittleMoreThanTheLastRounding() {
    double[] bases = new double[samples];
    double[] exponents = new double[samples];
    for (int i = 0; i < samples; i++) {
      bases[i] = positive();
      exponents[i] = exponent(bases[i]);
    }
    measure("sizes", bases, exponents, POWER_BOUND);
  }

  @Test
  void powersOfBasesNearOneAreOffByLittleMoreThanTheLastRounding() {
    double[] bases = new double[samples];
    double[] exponents = new double[samples];
    for (int i = 0; i < samples; i++) {
      double off = Math.scalb(1 + random.nextDouble(), -2 - random.nextInt(51));
      bases[i] = 1 + (random.nextBoolean() ? off : -off);
      exponents[i] = bases[i] == 1 ? 1 : exponent(bases[i]);
    }
    measure("near 1", bases, exponents, POWER_BOUND);
  }

  @Test
  void powersBelowNormalNumbersAreOffByLittleMoreThanTheLastRounding() {
    double[] bases = new double[samples];
    double[] exponents = new double[samples];
    for (int i = 0; i < samples; i++) {
      bases[i] = positive();
      exponents[i] = -(708.4 + random.nextDouble() * 36) / Math.log(bases[i]);
    }
    measure("below normal", bases, exponents, SMALL_POWER_BOUND);
  }

  @Test
  void commonPowersAreOffByLittleMoreThanTheLastRounding() {
    double[] bases = new double[samples];
    double[] exponents = new double[samples];
    for (int i = 0; i < samples; i++) {
      boolean whole = i % 2 == 0;
      double size = Math.exp(random.nextGaussian() * 3);
      bases[i] = whole && random.nextBoolean() ? -size : size;
      exponents[i] = whole ? random.nextInt(41) - 20 : random.nextGaussian() * 8;
    }
    measure("common", bases, exponents, POWER_BOUND);
  }

  @Test
  void powersOfAGridAreOffByLittleMoreThanTheLastRounding() {
    // Through the places at which logarithms change their power of two.
    int side = (int) Math.sqrt(samples) + 1;
    double[] bases = new double[side * side];
    double[] exponents = new double[side * side];
    for (int i = 0; i < bases.length; i++) {
      bases[i] = 0.6875 + (i / side + 0.5) / side;
      exponents[i] = (i % side - side / 2.0 + 0.25) * 1400 / side;
    }
    measure("grid", bases, exponents, POWER_BOUND);
  }

  @Test
  void exactPowersAreExact() {
    double[] bases = new double[2200];
    double[] exponents = new double[bases.length];
    for (int i = 0; i < bases.length; i++) {
      bases[i] = i % 2 == 0 ? 2 : -2;
      exponents[i] = i / 2 - 1076;
    }
    double[] powers = bases.clone();
    new VectorDoubleLanes().binary(BinaryOp.POWER, powers, exponents, 0, bases.length);
    for (int i = 0; i < bases.length; i++) {
      double size = Math.scalb(1.0, (int) exponents[i]);
      double expected = bases[i] < 0 && exponents[i] % 2 != 0 ? -size : size;
      assertThat(Double.compare(powers[i], expected))
          .as("%s ^ %s", bases[i], exponents[i])
          .isZero();
    }
  }

  @Test
  void powersOfSpecialOperandsAreThoseOfC() {
    requirePower(0, 0, 1);
    requirePower(Double.NaN, 0, 1);
    requirePower(1, Double.NaN, 1);
    requirePower(1, INFINITE, 1);
    requirePower(-1, -INFINITE, 1);
    requirePower(2, Double.NaN, Double.NaN);
    requirePower(Double.NaN, 1, Double.NaN);
    requirePower(-8, 1 / 3.0, Double.NaN);
    requirePower(-8, Double.MIN_VALUE, Double.NaN);
    requirePower(-0.0, 3, -0.0);
    requirePower(-0.0, -3, -INFINITE);
    requirePower(-0.0, 2.5, 0);
    requirePower(-0.0, -2, INFINITE);
    requirePower(0, -0.5, INFINITE);
    requirePower(-INFINITE, 3, -INFINITE);
    requirePower(-INFINITE, 0.5, INFINITE);
    requirePower(-INFINITE, -3, -0.0);
    requirePower(-INFINITE, -2, 0);
    requirePower(INFINITE, -1, 0);
    requirePower(0.5, INFINITE, 0);
    requirePower(-0.5, -INFINITE, INFINITE);
    requirePower(-2, INFINITE, INFINITE);
    requirePower(-1, 0x1p53 - 1, -1);
    requirePower(-1, 0x1p52 + 1, -1);
    requirePower(-1, 0x1p53, 1);
    requirePower(-1, 0x1p51 + 0.5, Double.NaN);
    requirePower(10, 309, INFINITE);
    requirePower(-10, 309, -INFINITE);
    requirePower(-10, -325, -0.0);
    requirePower(1 + 0x1p-52, Double.MAX_VALUE, INFINITE);
    requirePower(1 - 0x1p-53, Double.MAX_VALUE, 0);
    requirePower(Double.longBitsToDouble(0x7ff8_0000_1234_5678L), 2, Double.NaN);
  }

  @Test
  void specialOperandsGiveWhatPortableCodeGives() {
    int count = SPECIAL.length * SPECIAL.length;
    double[] a = new double[count];
    double[] b = new double[count];
    for (int i = 0; i < count; i++) {
      a[i] = SPECIAL[i / SPECIAL.length];
      b[i] = SPECIAL[i % SPECIAL.length];
    }
    for (BinaryOp op :
        new BinaryOp[] {BinaryOp.POWER, BinaryOp.MOD, BinaryOp.FLOOR_MOD, BinaryOp.FLOOR_DIVIDE}) {
      requireSame(op, a, b);
      for (int i = 0; i < count; i++) {
        // By itself, and among ordinary numbers.
        requireSame(op, repeat(a[i], 9), repeat(b[i], 9));
      }
    }
  }

  @Test
  void restsAreExact() {
    for (int round = 0; round < 200; round++) {
      double[] a = new double[1003];
      double[] b = new double[1003];
      for (int i = 0; i < a.length; i++) {
        a[i] =
            switch (round % 4) {
              case 0 -> random.nextGaussian() * 99;
              case 1 -> random.nextGaussian() * Math.scalb(1.0, random.nextInt(54));
              case 2 -> Double.longBitsToDouble(random.nextLong());
              default -> random.nextGaussian() * Double.MIN_NORMAL;
            };
        b[i] = divisor(a[i], i, round);
      }
      requireSame(BinaryOp.MOD, a, b);
      requireSame(BinaryOp.FLOOR_MOD, a, b);
    }
  }

  @Test
  void resultsDoNotDependOnPlaces() {
    double[] a = new double[67];
    double[] b = new double[67];
    for (int i = 0; i < a.length; i++) {
      a[i] = random.nextDouble() * 9;
      b[i] = random.nextGaussian() * 9;
    }
    double[] whole = a.clone();
    new VectorDoubleLanes().binary(BinaryOp.POWER, whole, b, 0, a.length);
    double[] parts = a.clone();
    new VectorDoubleLanes().binary(BinaryOp.POWER, parts, b, 3, 50);
    for (int i = 0; i < a.length; i++) {
      assertThat(parts[i]).as("seed %d", seed).isEqualTo(i >= 3 && i < 50 ? whole[i] : a[i]);
    }
  }

  /** Divisors whose quotients are ordinary, whole numbers or near to them, or of any size. */
  private double divisor(double a, int number, int round) {
    return switch (number % 5) {
      case 0 -> random.nextInt(9) - 4;
      case 1 -> a / (1 + random.nextInt(1000));
      case 2 -> Math.nextUp(a / Math.scalb(1 + random.nextDouble(), random.nextInt(52)));
      case 3 -> round % 8 == 2 ? Double.longBitsToDouble(random.nextLong()) : -a / 3;
      default -> random.nextGaussian();
    };
  }

  private double positive() {
    double x;
    do {
      x = Double.longBitsToDouble(random.nextLong() >>> 1);
    } while (!(x > 0 && x < INFINITE) || x == 1);
    return x;
  }

  /** An exponent whose power is a normal number. */
  private double exponent(double base) {
    return (random.nextDouble() * 2 - 1) * 708 / Math.log(base);
  }

  private void measure(String name, double[] bases, double[] exponents, double bound) {
    double[] powers = bases.clone();
    new VectorDoubleLanes().binary(BinaryOp.POWER, powers, exponents, 0, powers.length);
    double worst = 0;
    int at = 0;
    for (int i = 0; i < powers.length; i++) {
      BigDecimal log = BigMath.log(BigMath.of(Math.abs(bases[i])));
      BigDecimal truth = BigMath.exp(log.multiply(BigMath.of(exponents[i])));
      if (bases[i] < 0 && exponents[i] % 2 != 0) {
        truth = truth.negate();
      }
      // A quotient, because half of the smallest number is none.
      BigDecimal ulp = BigMath.of(Math.ulp(truth.doubleValue()));
      double off = BigMath.divide(BigMath.of(powers[i]).subtract(truth).abs(), ulp).doubleValue();
      if (off > worst) {
        worst = off;
        at = i;
      }
    }
    System.out.printf(
        "POWER, %s: at most %.3f units in the last place, at %s ^ %s (-Drelaxvm.seed=%d)%n",
        name, worst, bases[at], exponents[at], seed);
    assertThat(worst)
        .as("%s ^ %s, seed %d", bases[at], exponents[at], seed)
        .isLessThanOrEqualTo(bound);
  }

  private static void requirePower(double base, double exponent, double expected) {
    double[] powers = repeat(base, 9);
    new VectorDoubleLanes().binary(BinaryOp.POWER, powers, repeat(exponent, 9), 0, 9);
    for (int i = 0; i < powers.length; i += 8) {
      assertThat(Double.compare(powers[i], expected))
          .as("%s ^ %s: %s", base, exponent, powers[i])
          .isZero();
    }
  }

  private static double[] repeat(double value, int count) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = i % 8 == 0 ? value : 1.5;
    }
    return values;
  }

  private void requireSame(BinaryOp op, double[] a, double[] b) {
    double[] results = a.clone();
    new VectorDoubleLanes().binary(op, results, b, 0, a.length);
    double[] expected = a.clone();
    new DoubleLanes().binary(op, expected, b, 0, a.length);
    for (int i = 0; i < a.length; i++) {
      boolean same = Double.compare(results[i], expected[i]) == 0;
      // Both powers are rounded, from values that are off by less than one unit.
      boolean near =
          op == BinaryOp.POWER
              && Math.abs(results[i] - expected[i]) <= Math.ulp(expected[i])
              && Double.isFinite(expected[i])
              && expected[i] != 0;
      assertThat(same || near)
          .as("%s of %s, %s: %s, not %s, seed %d", op, a[i], b[i], results[i], expected[i], seed)
          .isTrue();
    }
  }
}
