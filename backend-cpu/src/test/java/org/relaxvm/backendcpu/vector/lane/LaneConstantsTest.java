package org.relaxvm.backendcpu.vector.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import jdk.incubator.vector.VectorMask;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.scalar.Scalars;

/** Vectors made of scalars, choices between vectors, and scalars made of vectors. */
class LaneConstantsTest {
  private static final int VECTORS = 200;

  private static Lane lane(DType dtype, boolean half) {
    return new Lane(dtype, half);
  }

  @Test
  void everyLaneHasTheNumber() {
    for (boolean half : new boolean[] {true, false}) {
      String name = half ? "broadcastHalf" : "broadcast";
      Object floats = Lane.call(Lane.find(name, float.class).orElseThrow(), -2.5f);
      assertThat(lane(DType.FLOAT32, half).numbers(floats))
          .containsOnly(Double.doubleToRawLongBits(-2.5));
      Object ints = Lane.call(Lane.find(name, int.class).orElseThrow(), -7);
      assertThat(lane(DType.INT32, half).numbers(ints)).containsOnly(-7L);
      Object mask = Lane.call(Lane.find(name, boolean.class).orElseThrow(), true);
      assertThat(lane(DType.BOOL, half).numbers(mask)).containsOnly(1L);
    }
    assertThat(lane(DType.FLOAT64, true).numbers(LaneConstants.broadcastHalf(0.1)))
        .containsOnly(Double.doubleToRawLongBits(0.1));
    assertThat(lane(DType.INT64, true).numbers(LaneConstants.broadcastHalf(1L << 40)))
        .containsOnly(1L << 40);
  }

  @Test
  void lanesCount() {
    Lane full = lane(DType.INT32, false);
    Lane half = lane(DType.INT32, true);
    assertThat(full.numbers(LaneConstants.iota(-3))).isEqualTo(count(-3, full));
    assertThat(half.numbers(LaneConstants.iotaHalf(5))).isEqualTo(count(5, half));
    assertThat(lane(DType.INT64, true).numbers(LaneConstants.iotaHalf(1L << 40)))
        .isEqualTo(count(1L << 40, half));
  }

  private static long[] count(long first, Lane lane) {
    return LongStream.range(first, first + lane.lanes()).toArray();
  }

  @Test
  void theFirstLanesAreTrue() {
    for (int n = 0; n <= Lanes.FULL + 1; n++) {
      VectorMask<Integer> full = LaneConstants.firstLanes(n);
      assertThat(full.trueCount()).isEqualTo(Math.min(n, Lanes.FULL));
      assertThat(full.firstTrue()).isEqualTo(n == 0 ? Lanes.FULL : 0);
      VectorMask<Integer> half = LaneConstants.firstLanesHalf(n);
      assertThat(half.trueCount()).isEqualTo(Math.min(n, Lanes.DOUBLE.length()));
      assertThat(half.lastTrue()).isEqualTo(Math.min(n, Lanes.DOUBLE.length()) - 1);
    }
  }

  @Test
  void selectionTakesTheFirstWhereTheMaskHolds() {
    Random random = new Random(1);
    for (DType dtype : Lane.DTYPES) {
      for (Lane lane : Lane.widths(dtype)) {
        Lane bools = lane(DType.BOOL, lane.half());
        Method select =
            Lane.find("select", VectorMask.class, lane.type(), lane.type()).orElseThrow();
        long[] mask = bools.numbers(random, VECTORS);
        long[] a = lane.numbers(random, VECTORS);
        long[] b = a.clone();
        for (int i = 0; i < VECTORS; i++) {
          b[i] = a[VECTORS - 1 - i];
        }
        for (int at = 0; at + lane.lanes() <= VECTORS; at += lane.lanes()) {
          Object chosen =
              Lane.call(select, bools.vector(mask, at), lane.vector(a, at), lane.vector(b, at));
          long[] got = lane.numbers(chosen);
          for (int i = 0; i < got.length; i++) {
            long expected = mask[at + i] != 0 ? a[at + i] : b[at + i];
            assertThat(lane.same(expected, got[i])).as("%s", lane).isTrue();
          }
        }
      }
    }
  }

  @Test
  void negationIsOfEachBoolean() {
    Lane lane = lane(DType.BOOL, false);
    long[] got = lane.numbers(MaskLaneOps.not(LaneConstants.firstLanes(1)));
    for (int i = 0; i < got.length; i++) {
      assertThat(got[i]).isEqualTo(i == 0 ? 0 : 1);
    }
  }

  @Test
  void reductionsOfBooleans() {
    VectorMask<Integer> some = LaneConstants.firstLanes(1);
    assertThat(MaskLaneOps.reduceOr(some)).isTrue();
    assertThat(MaskLaneOps.reduceAnd(some)).isFalse();
    assertThat(MaskLaneOps.reduceOr(LaneConstants.firstLanes(0))).isFalse();
    assertThat(MaskLaneOps.reduceAnd(LaneConstants.broadcastHalf(true))).isTrue();
  }

  @Test
  void reductionsAreThoseOfTheScalars() {
    Random random = new Random(2);
    for (DType dtype :
        List.of(
            DType.INT32, DType.UINT32, DType.INT64, DType.UINT64, DType.FLOAT32, DType.FLOAT64)) {
      for (Lane lane : Lane.widths(dtype)) {
        for (BinaryOp op : List.of(BinaryOp.ADD, BinaryOp.MUL, BinaryOp.MIN, BinaryOp.MAX)) {
          boolean order = op == BinaryOp.MIN || op == BinaryOp.MAX;
          String suffix = lane.unsigned() && order ? "Unsigned" : "";
          String name = "reduce" + Lane.capital(Lane.camel(op.name())) + suffix;
          Method reduce = Lane.find(name, lane.type()).orElseThrow();
          // Sums and products of small whole numbers are exact in any order.
          long[] a = lane.numbers(random, VECTORS);
          if (dtype.isFloat() && !order) {
            for (int i = 0; i < VECTORS; i++) {
              a[i] = Double.doubleToRawLongBits(random.nextInt(3) + 1);
            }
          }
          for (int at = 0; at + lane.lanes() <= VECTORS; at += lane.lanes()) {
            long expected = a[at];
            for (int i = 1; i < lane.lanes(); i++) {
              expected = Scalars.binary(op, dtype, expected, a[at + i]);
            }
            Number got = (Number) Lane.call(reduce, lane.vector(a, at));
            long number =
                dtype.isFloat()
                    ? Double.doubleToRawLongBits(got.doubleValue())
                    : dtype.equals(DType.UINT32)
                        ? Integer.toUnsignedLong(got.intValue())
                        : got.longValue();
            assertThat(lane.same(expected, number)).as("%s of %s", op, lane).isTrue();
          }
        }
      }
    }
  }
}
