package org.relaxvm.backendcpu.vector.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.scalar.Scalars;

/** Each lane of a function is what the function gives of its scalars, or near for math. */
class LaneFunctionsTest {
  private static final int NUMBERS = 160;
  private static final double UNITS = 2.5;
  private static final double ERROR_OF_SCALAR_ERF = 1e-15;

  private static final Set<Intrinsic> EXACT =
      Set.of(
          Intrinsic.SQRT,
          Intrinsic.CEIL,
          Intrinsic.FLOOR,
          Intrinsic.NEARBYINT,
          Intrinsic.TRUNC,
          Intrinsic.ABS);

  private static final Set<Intrinsic> ANY_WIDTH =
      Set.of(
          Intrinsic.SQRT,
          Intrinsic.RSQRT,
          Intrinsic.CEIL,
          Intrinsic.FLOOR,
          Intrinsic.NEARBYINT,
          Intrinsic.TRUNC,
          Intrinsic.ABS,
          Intrinsic.ISNAN,
          Intrinsic.ISINF,
          Intrinsic.ISFINITE);

  @Test
  void eachLaneIsTheScalar() {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    Set<String> missing = new TreeSet<>();
    for (DType dtype : Lane.DTYPES) {
      for (Intrinsic op : Intrinsic.values()) {
        if (!takes(op, dtype)) {
          continue;
        }
        for (Lane lane : Lane.widths(dtype)) {
          boolean narrow = dtype.isFloat() && dtype.bits() < 64 && lane.half();
          if (narrow && !ANY_WIDTH.contains(op)) {
            continue;
          }
          Optional<Method> method = method(op, lane);
          if (method.isEmpty()) {
            missing.add(op.text() + " of " + dtype);
          } else {
            check(op, lane, method.get(), seed);
          }
        }
      }
    }
    assertThat(missing)
        .as("what generated code computes one by one")
        .containsExactly("pow of float64");
  }

  private static boolean takes(Intrinsic op, DType dtype) {
    return switch (op.rule()) {
      case FLOAT, FLOAT_TEST -> dtype.isFloat();
      case INTEGER -> !dtype.isFloat() && !dtype.equals(DType.BOOL);
      case NUMBER -> !dtype.equals(DType.BOOL);
      case CHOICE -> false;
    };
  }

  private static boolean isShift(Intrinsic op) {
    return op == Intrinsic.SHIFT_LEFT || op == Intrinsic.SHIFT_RIGHT;
  }

  private static Optional<Method> method(Intrinsic op, Lane lane) {
    boolean signed = op == Intrinsic.SHIFT_RIGHT || op == Intrinsic.POW || op == Intrinsic.ABS;
    String name = Lane.camel(op.name()) + (lane.unsigned() && signed ? "Unsigned" : "");
    Class<?> type = lane.type();
    if (isShift(op)) {
      return Lane.find(name, type, type, int.class);
    }
    return op.arity() == 1 ? Lane.find(name, type) : Lane.find(name, type, type);
  }

  private static void check(Intrinsic op, Lane lane, Method method, long seed) {
    DType dtype = lane.dtype();
    boolean test = op.rule() == Intrinsic.Rule.FLOAT_TEST;
    Lane result = test ? new Lane(DType.BOOL, lane.half()) : lane;
    long[] a = lane.numbers(new Random(seed), NUMBERS);
    long[] b = a.clone();
    for (int shift = 0; shift < (op.arity() == 1 ? 1 : NUMBERS); shift++) {
      for (int i = 0; i < NUMBERS; i++) {
        b[i] = a[(i + shift) % NUMBERS];
      }
      for (int at = 0; at + lane.lanes() <= NUMBERS; at += lane.lanes()) {
        long[] got = result.numbers(result.fit(call(op, lane, method, a, b, at)));
        for (int i = 0; i < got.length; i++) {
          boolean one = op.arity() == 1;
          long expected =
              one
                  ? Scalars.call(op, dtype, a[at + i])
                  : Scalars.call(op, dtype, a[at + i], b[at + i]);
          if (!result.same(expected, got[i]) && !isNear(op, dtype, expected, got[i])) {
            throw new AssertionError(
                "%s(%s, %s) of %s is %s, but lane %d is %s (-Drelaxvm.seed=%d)"
                    .formatted(
                        op,
                        Scalars.text(dtype, a[at + i]),
                        one ? "" : Scalars.text(dtype, b[at + i]),
                        lane,
                        Scalars.text(result.dtype(), expected),
                        i,
                        Scalars.text(result.dtype(), got[i]),
                        seed));
          }
        }
      }
    }
  }

  private static Object call(Intrinsic op, Lane lane, Method method, long[] a, long[] b, int at) {
    if (op.arity() == 1) {
      return Lane.call(method, lane.vector(a, at));
    }
    return isShift(op)
        ? Lane.call(method, lane.vector(a, at), lane.vector(b, at), lane.dtype().bits())
        : Lane.call(method, lane.vector(a, at), lane.vector(b, at));
  }

  /** Whether a result of a math function is within a few units in the last place. */
  private static boolean isNear(Intrinsic op, DType dtype, long expected, long got) {
    if (!dtype.isFloat() || EXACT.contains(op) || op.rule() == Intrinsic.Rule.FLOAT_TEST) {
      return false;
    }
    double x = Scalars.toDouble(expected);
    double y = Scalars.toDouble(got);
    if (Double.isInfinite(x) || Double.isInfinite(y) || (x == 0 && y == 0)) {
      return false;
    }
    // What scalars give is exact to that itself.
    double lost = op == Intrinsic.ERF ? ERROR_OF_SCALAR_ERF * Math.abs(x) : 0;
    return Math.abs(x - y) <= UNITS * unit(dtype, x) + lost;
  }

  private static double unit(DType dtype, double x) {
    if (dtype.equals(DType.FLOAT64)) {
      return Math.ulp(x);
    }
    if (dtype.equals(DType.FLOAT32)) {
      return Math.ulp((float) x);
    }
    boolean brain = dtype.equals(DType.BFLOAT16);
    int exponent = Math.max(Math.getExponent(x), brain ? -126 : -14);
    return Math.scalb(1.0, exponent - (brain ? 7 : 10));
  }
}
