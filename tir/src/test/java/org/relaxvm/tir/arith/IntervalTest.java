package org.relaxvm.tir.arith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.IntegerMath;

class IntervalTest {
  private static final int REACH = 5;
  private static final long[] EXTREMES = {
    Long.MIN_VALUE, Long.MIN_VALUE + 1, -3, 0, 2, Long.MAX_VALUE - 1, Long.MAX_VALUE
  };

  @Test
  void resultsOfAllSmallIntegersLieInTheResultOfTheIntervals() {
    expectAll(BinaryOp.ADD, Interval::plus);
    expectAll(BinaryOp.SUB, (a, b) -> a.plus(b.negated()));
    expectAll(BinaryOp.MUL, Interval::times);
    expectAll(BinaryOp.DIV, Interval::dividedBy);
    expectAll(BinaryOp.MOD, Interval::modulo);
    expectAll(BinaryOp.FLOOR_DIV, Interval::floorDividedBy);
    expectAll(BinaryOp.FLOOR_MOD, Interval::floorModulo);
    expectAll(BinaryOp.MIN, Interval::smallerOf);
    expectAll(BinaryOp.MAX, Interval::largerOf);
  }

  @Test
  void sumsAndProductsOfExtremesLieInTheResultOfTheIntervals() {
    for (long a : EXTREMES) {
      for (long b : EXTREMES) {
        BigInteger x = BigInteger.valueOf(a);
        BigInteger y = BigInteger.valueOf(b);
        assertThat(contains(Interval.of(a).plus(Interval.of(b)), x.add(y))).isTrue();
        assertThat(contains(Interval.of(a).times(Interval.of(b)), x.multiply(y))).isTrue();
        assertThat(contains(Interval.of(a).negated(), x.negate())).isTrue();
        assertThat(contains(Interval.of(a).absolute(), x.abs())).isTrue();
      }
    }
  }

  @Test
  void boundsAreWrittenWithInfinities() {
    assertThat(Interval.ALL).hasToString("[-inf, inf]");
    assertThat(Interval.from(3)).hasToString("[3, inf]");
    assertThat(Interval.of(-1)).hasToString("[-1, -1]");
    assertThat(Interval.of(Long.MAX_VALUE)).isEqualTo(Interval.from(Long.MAX_VALUE - 1));
    assertThat(Interval.of(3).isPoint()).isTrue();
    assertThat(Interval.from(3).isPoint()).isFalse();
  }

  @Test
  void boundsAreInOrder() {
    assertThatThrownBy(() -> new Interval(2, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no integer lies between 2 and 1");
  }

  private static void expectAll(BinaryOp op, BinaryOperator<Interval> work) {
    for (Interval a : smallIntervals()) {
      for (Interval b : smallIntervals()) {
        Interval result = work.apply(a, b);
        for (long x = Math.max(a.min(), -2 * REACH); x <= Math.min(a.max(), 2 * REACH); x++) {
          for (long y = Math.max(b.min(), -2 * REACH); y <= Math.min(b.max(), 2 * REACH); y++) {
            boolean divides =
                switch (op) {
                  case DIV, MOD, FLOOR_DIV, FLOOR_MOD -> true;
                  default -> false;
                };
            if (!divides || y != 0) {
              long value = IntegerMath.apply(op, DType.INT64, x, y);
              assertThat(result.contains(value))
                  .as("%s %s %s in %s %s %s = %s", x, op, y, a, op, b, result)
                  .isTrue();
            }
          }
        }
      }
    }
  }

  private static List<Interval> smallIntervals() {
    List<Interval> all = new ArrayList<>(List.of(Interval.ALL));
    for (long min = -REACH; min <= REACH; min++) {
      all.add(Interval.from(min));
      all.add(new Interval(Long.MIN_VALUE, min));
      for (long max = min; max <= REACH; max++) {
        all.add(new Interval(min, max));
      }
    }
    return all;
  }

  private static boolean contains(Interval interval, BigInteger value) {
    return (!interval.hasMin() || value.compareTo(BigInteger.valueOf(interval.min())) >= 0)
        && (!interval.hasMax() || value.compareTo(BigInteger.valueOf(interval.max())) <= 0);
  }
}
