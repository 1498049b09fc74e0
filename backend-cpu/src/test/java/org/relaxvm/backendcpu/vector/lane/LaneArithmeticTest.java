package org.relaxvm.backendcpu.vector.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import jdk.incubator.vector.IntVector;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.scalar.Scalars;

/** Each lane of an operation is what the operation gives of its scalars. */
class LaneArithmeticTest {
  private static final int NUMBERS = 120;
  private static final Set<BinaryOp> DIVISIONS =
      Set.of(BinaryOp.DIV, BinaryOp.MOD, BinaryOp.FLOOR_DIV, BinaryOp.FLOOR_MOD);
  private static final Set<BinaryOp> SIGNED =
      Set.of(
          BinaryOp.DIV,
          BinaryOp.MOD,
          BinaryOp.FLOOR_DIV,
          BinaryOp.FLOOR_MOD,
          BinaryOp.MIN,
          BinaryOp.MAX,
          BinaryOp.LT,
          BinaryOp.LE,
          BinaryOp.GT,
          BinaryOp.GE);

  @Test
  void eachLaneIsTheScalar() {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    Set<String> missing = new TreeSet<>();
    for (DType dtype : Lane.DTYPES) {
      for (BinaryOp op : BinaryOp.values()) {
        boolean logical = op.kind() == BinaryOp.Kind.LOGICAL;
        if (logical != dtype.equals(DType.BOOL) && op != BinaryOp.EQ && op != BinaryOp.NE) {
          continue;
        }
        for (Lane lane : Lane.widths(dtype)) {
          if (isWide(op, lane)) {
            continue;
          }
          String name =
              Lane.camel(op.name()) + (lane.unsigned() && SIGNED.contains(op) ? "Unsigned" : "");
          Optional<Method> method = Lane.find(name, lane.type(), lane.type());
          if (method.isEmpty()) {
            missing.add(name + " of " + dtype);
          } else {
            check(op, lane, method.get(), seed);
          }
        }
      }
    }
    assertThat(missing)
        .as("what generated code computes one by one")
        .containsExactlyInAnyOrder(
            "div of int64",
            "mod of int64",
            "floorDiv of int64",
            "floorMod of int64",
            "divUnsigned of uint64",
            "modUnsigned of uint64",
            "floorDivUnsigned of uint64",
            "floorModUnsigned of uint64");
  }

  /** Whether there is only a function of full vectors. */
  private static boolean isWide(BinaryOp op, Lane lane) {
    return lane.half()
        && lane.type().getSimpleName().equals("FloatVector")
        && (op == BinaryOp.MOD || op == BinaryOp.FLOOR_MOD);
  }

  private static void check(BinaryOp op, Lane lane, Method method, long seed) {
    DType dtype = lane.dtype();
    Lane result = op.kind() == BinaryOp.Kind.ARITHMETIC ? lane : new Lane(DType.BOOL, lane.half());
    long[] a = lane.numbers(new Random(seed), NUMBERS);
    long[] b = a.clone();
    for (int shift = 0; shift < NUMBERS; shift++) {
      for (int i = 0; i < NUMBERS; i++) {
        b[i] = a[(i + shift) % NUMBERS];
        if (!dtype.isFloat() && DIVISIONS.contains(op) && b[i] == 0) {
          b[i] = 1;
        }
      }
      for (int at = 0; at + lane.lanes() <= NUMBERS; at += lane.lanes()) {
        Object got = Lane.call(method, lane.vector(a, at), lane.vector(b, at));
        long[] numbers = result.numbers(result.fit(got));
        for (int i = 0; i < numbers.length; i++) {
          long expected = Scalars.binary(op, dtype, a[at + i], b[at + i]);
          if (!result.same(expected, numbers[i]) && !isTiny(result, expected, numbers[i])) {
            throw new AssertionError(
                "%s(%s, %s) of %s is %s, but lane %d is %s (-Drelaxvm.seed=%d)"
                    .formatted(
                        op,
                        Scalars.text(dtype, a[at + i]),
                        Scalars.text(dtype, b[at + i]),
                        lane,
                        Scalars.text(result.dtype(), expected),
                        i,
                        Scalars.text(result.dtype(), numbers[i]),
                        seed));
          }
        }
      }
    }
  }

  /** bfloat16 below the normal numbers is rounded twice, by float32 before. */
  private static boolean isTiny(Lane lane, long expected, long got) {
    double x = Scalars.toDouble(expected);
    return lane.dtype().equals(DType.BFLOAT16)
        && Math.abs(x) < Float.MIN_NORMAL
        && Math.abs(x - Scalars.toDouble(got)) <= 0x1p-133;
  }

  @Test
  void divisionByZeroFailsWhereItCounts() {
    for (DType dtype : Lane.DTYPES) {
      if (dtype.isFloat() || dtype.bits() == 64 || dtype.equals(DType.BOOL)) {
        continue;
      }
      for (Lane lane : Lane.widths(dtype)) {
        for (BinaryOp op : DIVISIONS) {
          for (String suffix : new String[] {"", "Unsigned"}) {
            String name = Lane.camel(op.name()) + suffix;
            Class<?> mask = new Lane(DType.BOOL, lane.half()).type();
            Method all = Lane.find(name, lane.type(), lane.type()).orElseThrow();
            Method masked = Lane.find(name, lane.type(), lane.type(), mask).orElseThrow();
            int last = lane.lanes() - 1;
            IntVector b = IntVector.broadcast(Lanes.ints(lane.lanes()), 2).withLane(last, 0);
            IntVector a = IntVector.broadcast(Lanes.ints(lane.lanes()), 7);
            assertThatThrownBy(() -> Lane.call(all, a, b))
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("/ by zero");
            assertThatThrownBy(() -> Lane.call(masked, a, b, a.species().maskAll(true)))
                .isInstanceOf(ArithmeticException.class);
            IntVector some = (IntVector) Lane.call(masked, a, b, a.species().indexInRange(0, last));
            long expected = Scalars.binary(op, dtype, 7, 2);
            assertThat(some.lane(0)).isEqualTo((int) expected);
            assertThat(some.lane(last - 1)).isEqualTo((int) expected);
          }
        }
      }
    }
  }
}
