package org.relaxvm.backendcpu.vector.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Comparison;
import org.relaxvm.backendcpu.element.DoubleLanes;
import org.relaxvm.backendcpu.element.IntLanes;
import org.relaxvm.backendcpu.element.LongLanes;
import org.relaxvm.backendcpu.element.UnaryOp;

/** Vector code whose results have the bits of the portable code. */
class PortableTwinsTest {
  private static final int ROUNDS = 300;
  private static final double[] DOUBLES = {
    0.0,
    -0.0,
    0.5,
    -0.5,
    1,
    -1,
    1.5,
    -2.5,
    0x1p-1074,
    0x1.fffffffffffffp51,
    0x1p52,
    -0x1p53,
    0x1.fffffffffffffp-1,
    Double.MAX_VALUE,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY
  };

  private final long seed = Long.getLong("relaxvm.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void powersOfInts() {
    for (int round = 0; round < ROUNDS; round++) {
      int[] a = random.ints(random.nextInt(600)).map(x -> x >> random.nextInt(32)).toArray();
      int[] b = random.ints(a.length).map(x -> x >> random.nextInt(32)).toArray();
      int from = a.length / 7;
      int[] expected = a.clone();
      new IntLanes().binary(BinaryOp.POWER, expected, b, from, a.length);
      int[] results = a.clone();
      new VectorIntLanes().binary(BinaryOp.POWER, results, b, from, a.length);
      assertThat(results).as("seed %d", seed).isEqualTo(expected);
    }
  }

  @Test
  void powersOfLongs() {
    for (int round = 0; round < ROUNDS; round++) {
      boolean unsigned = round % 2 == 0;
      long[] a = longs(random.nextInt(600));
      long[] b = longs(a.length);
      int from = a.length / 7;
      long[] expected = a.clone();
      new LongLanes(unsigned).binary(BinaryOp.POWER, expected, b, from, a.length);
      long[] results = a.clone();
      new VectorLongLanes(unsigned).binary(BinaryOp.POWER, results, b, from, a.length);
      assertThat(results).as("unsigned %s, seed %d", unsigned, seed).isEqualTo(expected);
    }
  }

  @Test
  void negativeExponentsGiveZeroButForUnits() {
    long[] a = {1, -1, -1, 2, 0, Long.MAX_VALUE, Long.MIN_VALUE, -3, 1, -1, 1, 0, 5, -1, -1, 7};
    long[] b = {-1, -1, -2, -1, -1, -1, -3, Long.MIN_VALUE, 0, 3, 9, 0, 1, -7, Long.MIN_VALUE, 2};
    new VectorLongLanes(false).binary(BinaryOp.POWER, a, b, 0, a.length);
    assertThat(a).containsExactly(1, -1, 1, 0, 0, 0, 0, 0, 1, -1, 1, 1, 5, -1, 1, 49);
  }

  @Test
  void comparisonsOfDoubles() {
    for (int round = 0; round < ROUNDS; round++) {
      double[] a = doubles(random.nextInt(200));
      double[] b = doubles(a.length);
      for (Comparison op : Comparison.values()) {
        int[] expected = new int[a.length];
        new DoubleLanes().compare(op, a, b, expected, a.length);
        int[] results = new int[a.length];
        new VectorDoubleLanes().compare(op, a, b, results, a.length);
        assertThat(results).as("%s, seed %d", op, seed).isEqualTo(expected);
      }
    }
  }

  @Test
  void rootsAndWholePartsOfDoubles() {
    for (int round = 0; round < ROUNDS; round++) {
      double[] a = doubles(random.nextInt(200));
      for (UnaryOp op : new UnaryOp[] {UnaryOp.SQRT, UnaryOp.RSQRT, UnaryOp.TRUNC}) {
        double[] expected = a.clone();
        new DoubleLanes().unary(op, expected, a.length);
        double[] results = a.clone();
        new VectorDoubleLanes().unary(op, results, a.length);
        for (int i = 0; i < a.length; i++) {
          // The bits of all NaN alike.
          assertThat(Double.doubleToLongBits(results[i]))
              .as("%s of %s, seed %d", op, a[i], seed)
              .isEqualTo(Double.doubleToLongBits(expected[i]));
        }
      }
    }
  }

  private long[] longs(int count) {
    return random.longs(count).map(x -> x >> random.nextInt(64)).toArray();
  }

  private double[] doubles(int count) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] =
          random.nextBoolean()
              ? DOUBLES[random.nextInt(DOUBLES.length)]
              : Math.scalb(random.nextGaussian(), random.nextInt(60));
    }
    return values;
  }
}
