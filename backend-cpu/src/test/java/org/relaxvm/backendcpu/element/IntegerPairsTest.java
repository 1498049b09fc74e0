package org.relaxvm.backendcpu.element;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Functions of two integers in loops without branches, beside those of single integers. */
class IntegerPairsTest {
  private static final int[] INTS = {
    0,
    1,
    -1,
    2,
    -2,
    3,
    -7,
    31,
    32,
    33,
    63,
    64,
    -32,
    0x4000_0000,
    0x7fff_fffe,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Integer.MIN_VALUE + 1
  };
  private static final BinaryOp[] OPS = {
    BinaryOp.DIVIDE,
    BinaryOp.FLOOR_DIVIDE,
    BinaryOp.MOD,
    BinaryOp.FLOOR_MOD,
    BinaryOp.LEFT_SHIFT,
    BinaryOp.RIGHT_SHIFT
  };

  private final long seed = Long.getLong("relaxvm.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void intsAreCombinedAsInLongs() {
    int pairs = INTS.length * INTS.length;
    for (int round = 0; round < 2000; round++) {
      int[] a = new int[1003];
      int[] b = new int[a.length];
      for (int i = 0; i < a.length; i++) {
        a[i] = i < pairs ? INTS[i / INTS.length] : any();
        b[i] = i < pairs ? INTS[i % INTS.length] : any();
        if (i > 2 * pairs) {
          // Next to whole quotients.
          a[i] = b[i] * any() + random.nextInt(3) - 1;
        }
      }
      for (BinaryOp op : OPS) {
        int[] results = a.clone();
        IntLanes.INSTANCE.binary(op, results, b, 0, a.length);
        for (int i = 0; i < a.length; i++) {
          int expected = (int) LongLanes.SIGNED.apply(op, a[i], b[i]);
          if (results[i] != expected) {
            assertThat(results[i])
                .as("%s of %s, %s, seed %d", op, a[i], b[i], seed)
                .isEqualTo(expected);
          }
        }
      }
    }
  }

  @Test
  void longsAreShiftedAsSingleOnes() {
    long[] a = new long[1003];
    long[] b = new long[a.length];
    for (int i = 0; i < a.length; i++) {
      a[i] = random.nextLong() >> random.nextInt(64);
      b[i] = i < 200 ? i - 66 : random.nextLong() >> random.nextInt(64);
    }
    for (LongLanes lanes : new LongLanes[] {LongLanes.SIGNED, LongLanes.UNSIGNED}) {
      for (BinaryOp op : new BinaryOp[] {BinaryOp.LEFT_SHIFT, BinaryOp.RIGHT_SHIFT}) {
        long[] results = a.clone();
        lanes.binary(op, results, b, 0, a.length);
        for (int i = 0; i < a.length; i++) {
          assertThat(results[i])
              .as("%s of %s, %s, seed %d", op, a[i], b[i], seed)
              .isEqualTo(lanes.apply(op, a[i], b[i]));
        }
      }
    }
  }

  @Test
  void longsAreDividedAsSingleOnes() {
    long[] edges = {
      0,
      1,
      -1,
      2,
      -3,
      7,
      1L << 31,
      (1L << 53) - 1,
      1L << 53,
      -(1L << 53),
      -(1L << 53) - 1,
      (1L << 53) + 1,
      Long.MAX_VALUE,
      Long.MIN_VALUE,
      Long.MIN_VALUE + 1
    };
    for (int round = 0; round < 400; round++) {
      // Odd rounds hold no dividend that is left to single elements.
      int shift = round % 2 == 0 ? 0 : 11;
      long[] a = new long[random.nextInt(700)];
      long[] b = new long[a.length];
      for (int i = 0; i < a.length; i++) {
        a[i] = random.nextInt(9) == 0 ? edges[random.nextInt(edges.length)] : anyLong();
        a[i] >>= shift;
        b[i] = random.nextInt(9) == 0 ? edges[random.nextInt(edges.length)] : anyLong();
        if (random.nextInt(3) == 0 && b[i] != 0) {
          // Next to whole quotients.
          a[i] = b[i] * (a[i] / b[i]) + random.nextInt(3) - 1;
        }
      }
      for (LongLanes lanes : new LongLanes[] {LongLanes.SIGNED, LongLanes.UNSIGNED}) {
        for (int op = 0; op < 4; op++) {
          checkLongs(lanes, OPS[op], a, b);
        }
      }
    }
  }

  private void checkLongs(LongLanes lanes, BinaryOp op, long[] a, long[] b) {
    long[] results = a.clone();
    int from = a.length / 5;
    lanes.binary(op, results, b, from, a.length);
    for (int i = 0; i < a.length; i++) {
      long expected = i < from ? a[i] : lanes.apply(op, a[i], b[i]);
      if (results[i] != expected) {
        assertThat(results[i])
            .as("%s of %s, %s, seed %d", op, a[i], b[i], seed)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void functionsOfOneLongAreThoseOfTheTable() {
    for (long x : new long[] {0, 1, -1, 5, -7, Long.MAX_VALUE, Long.MIN_VALUE}) {
      for (boolean unsigned : new boolean[] {false, true}) {
        assertThat(one(UnaryOp.NEGATIVE, x, unsigned)).isEqualTo(-x);
        assertThat(one(UnaryOp.ABS, x, unsigned)).isEqualTo(unsigned ? x : Math.abs(x));
        assertThat(one(UnaryOp.RELU, x, unsigned)).isEqualTo(unsigned ? x : Math.max(x, 0));
        assertThat(one(UnaryOp.BITWISE_NOT, x, unsigned)).isEqualTo(~x);
        assertThat(one(UnaryOp.SQUARE, x, unsigned)).isEqualTo(x * x);
        long sign = unsigned ? Long.compareUnsigned(x, 0) : Long.signum(x);
        assertThat(one(UnaryOp.SIGN, x, unsigned)).isEqualTo(sign);
      }
    }
  }

  private static long one(UnaryOp op, long x, boolean unsigned) {
    long[] values = {x, x};
    new LongLanes(unsigned).unary(op, values, 1);
    assertThat(values[1]).isEqualTo(x);
    return values[0];
  }

  private long anyLong() {
    return random.nextLong() >> random.nextInt(64);
  }

  private int any() {
    return random.nextInt() >> random.nextInt(32);
  }
}
