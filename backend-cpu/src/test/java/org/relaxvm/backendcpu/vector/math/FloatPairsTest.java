package org.relaxvm.backendcpu.vector.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.FloatLanes;

/** Functions of two float32 beside portable code, and powers beside true values. */
class FloatPairsTest {
  private static final float[] SPECIAL = {
    0f,
    -0f,
    1f,
    -1f,
    0.5f,
    -0.5f,
    2f,
    -2f,
    3f,
    -3f,
    2.5f,
    0x1p24f,
    -0x1p24f - 2,
    1e30f,
    -1e30f,
    1e-30f,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MAX_VALUE,
    Float.NaN,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY
  };

  private final long seed = Long.getLong("relaxvm.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void powersAreOffByLittleMoreThanTheLastRounding() {
    int count = 200_003;
    float[] bases = new float[count];
    float[] exponents = new float[count];
    for (int i = 0; i < count; i++) {
      double size = Math.exp(random.nextGaussian() * (i % 3 == 0 ? 20 : 1));
      boolean whole = i % 2 == 0;
      bases[i] = (float) (whole && random.nextBoolean() ? -size : size);
      exponents[i] = whole ? random.nextInt(41) - 20 : (float) (random.nextGaussian() * 8);
    }
    float[] powers = bases.clone();
    new VectorFloatLanes().binary(BinaryOp.POWER, powers, exponents, 0, count);
    double worst = 0;
    for (int i = 0; i < count; i++) {
      double truth = StrictMath.pow(bases[i], exponents[i]);
      float nearest = (float) truth;
      double off = nearest == powers[i] ? 0 : Math.abs(truth - powers[i]) / Math.ulp(nearest);
      if (!Float.isInfinite(nearest)) {
        worst = Math.max(worst, off);
      }
      assertThat(off).as("%s ^ %s, seed %d", bases[i], exponents[i], seed).isLessThan(0.501);
    }
    System.out.printf("POWER: where not the nearest, off by %.7f%n", worst);
  }

  @Test
  void specialOperandsGiveWhatPortableCodeGives() {
    int count = SPECIAL.length * SPECIAL.length;
    float[] a = new float[count];
    float[] b = new float[count];
    for (int i = 0; i < count; i++) {
      a[i] = SPECIAL[i / SPECIAL.length];
      b[i] = SPECIAL[i % SPECIAL.length];
    }
    for (BinaryOp op :
        new BinaryOp[] {BinaryOp.POWER, BinaryOp.MOD, BinaryOp.FLOOR_MOD, BinaryOp.FLOOR_DIVIDE}) {
      requireSame(op, a, b);
      for (int i = 0; i < count; i++) {
        // By itself, and among ordinary numbers.
        requireSame(op, repeat(a[i], 17), repeat(b[i], 17));
      }
    }
  }

  @Test
  void restsAreExact() {
    for (int round = 0; round < 200; round++) {
      float[] a = new float[1003];
      float[] b = new float[1003];
      for (int i = 0; i < a.length; i++) {
        boolean bits = i % 5 == 0 && round % 2 == 0;
        a[i] = bits ? Float.intBitsToFloat(random.nextInt()) : (float) (random.nextGaussian() * 99);
        b[i] = i % 7 == 0 ? random.nextInt(9) - 4 : (float) random.nextGaussian();
      }
      requireSame(BinaryOp.MOD, a, b);
      float[] floors = a.clone();
      new VectorFloatLanes().binary(BinaryOp.FLOOR_MOD, floors, b, 0, a.length);
      for (int i = 0; i < a.length; i++) {
        float rest = a[i] % b[i];
        float expected = rest != 0 && rest < 0 != b[i] < 0 ? rest + b[i] : rest;
        assertThat(Float.compare(floors[i], expected))
            .as("%s, %s, seed %d", a[i], b[i], seed)
            .isZero();
      }
    }
  }

  private static float[] repeat(float value, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = i == 0 ? value : i == 16 ? value : 1.5f;
    }
    return values;
  }

  private void requireSame(BinaryOp op, float[] a, float[] b) {
    float[] results = a.clone();
    new VectorFloatLanes().binary(op, results, b, 0, a.length);
    float[] expected = a.clone();
    new FloatLanes().binary(op, expected, b, 0, a.length);
    for (int i = 0; i < a.length; i++) {
      assertThat(Float.compare(results[i], expected[i]))
          .as("%s of %s, %s: %s, seed %d", op, a[i], b[i], results[i], seed)
          .isZero();
    }
  }
}
