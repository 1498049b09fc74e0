package org.relaxvm.tir.scalar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Intrinsic;

/** Operations on integers against numbers without bounds. */
class IntegerOperationsTest {
  @Test
  void operationsAreThoseOfIntegersWithoutBoundsWrappedAround() {
    for (DType dtype : AllDTypes.INTEGERS) {
      for (BinaryOp op : BinaryOp.values()) {
        for (long a : AllDTypes.edges(dtype)) {
          for (long b : AllDTypes.edges(dtype)) {
            if (op.kind() != BinaryOp.Kind.LOGICAL && !(divides(op) && b == 0)) {
              assertThat(Scalars.binary(op, dtype, a, b))
                  .as("%s %d %s %d", dtype, a, op, b)
                  .isEqualTo(expected(op, dtype, a, b));
            }
          }
        }
      }
    }
  }

  @Test
  void divisionByZeroIsAnError() {
    for (DType dtype : AllDTypes.INTEGERS) {
      for (BinaryOp op : BinaryOp.values()) {
        if (divides(op)) {
          assertThatThrownBy(() -> Scalars.binary(op, dtype, 1, 0))
              .isInstanceOf(CallException.class)
              .hasMessage("an integer is divided by 0 (" + op.text() + ")");
        }
      }
    }
  }

  @Test
  void booleansHaveLogicAndOrder() {
    for (long a = 0; a <= 1; a++) {
      for (long b = 0; b <= 1; b++) {
        assertThat(Scalars.binary(BinaryOp.AND, DType.BOOL, a, b)).isEqualTo(a * b);
        assertThat(Scalars.binary(BinaryOp.OR, DType.BOOL, a, b)).isEqualTo(Math.max(a, b));
        assertThat(Scalars.binary(BinaryOp.EQ, DType.BOOL, a, b)).isEqualTo(a == b ? 1 : 0);
        assertThat(Scalars.binary(BinaryOp.NE, DType.BOOL, a, b)).isEqualTo(a == b ? 0 : 1);
        assertThat(Scalars.binary(BinaryOp.LT, DType.BOOL, a, b)).isEqualTo(a < b ? 1 : 0);
        assertThat(Scalars.binary(BinaryOp.GE, DType.BOOL, a, b)).isEqualTo(a < b ? 0 : 1);
      }
    }
  }

  @Test
  void powersWrapAround() {
    for (DType dtype : AllDTypes.INTEGERS) {
      BigInteger size = BigInteger.ONE.shiftLeft(dtype.bits());
      for (long a : AllDTypes.edges(dtype)) {
        for (long b : AllDTypes.edges(dtype)) {
          BigInteger exponent = AllDTypes.big(dtype, b);
          long power =
              exponent.signum() >= 0
                  ? AllDTypes.wrapped(
                      dtype, AllDTypes.big(dtype, a).mod(size).modPow(exponent, size))
                  : a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
          assertThat(Scalars.call(Intrinsic.POW, dtype, a, b))
              .as("%s %d ^ %d", dtype, a, b)
              .isEqualTo(power);
        }
      }
    }
  }

  @Test
  void shiftsDropWhatLeavesTheDtype() {
    for (DType dtype : AllDTypes.INTEGERS) {
      for (long a : AllDTypes.edges(dtype)) {
        for (long b = 0; b < dtype.bits(); b++) {
          BigInteger value = AllDTypes.big(dtype, a);
          assertThat(Scalars.call(Intrinsic.SHIFT_LEFT, dtype, a, b))
              .isEqualTo(AllDTypes.wrapped(dtype, value.shiftLeft((int) b)));
          assertThat(Scalars.call(Intrinsic.SHIFT_RIGHT, dtype, a, b))
              .isEqualTo(value.shiftRight((int) b).longValue());
        }
        for (long b : new long[] {dtype.bits(), dtype.bits() + 1, 100, -1, Long.MIN_VALUE}) {
          boolean negative = a < 0 && !DTypes.isUnsigned(dtype);
          assertThat(Scalars.call(Intrinsic.SHIFT_LEFT, dtype, a, b)).isZero();
          assertThat(Scalars.call(Intrinsic.SHIFT_RIGHT, dtype, a, b)).isEqualTo(negative ? -1 : 0);
        }
      }
    }
  }

  @Test
  void bitsAndAbsoluteValuesAreThoseOfTheDtype() {
    for (DType dtype : AllDTypes.INTEGERS) {
      for (long a : AllDTypes.edges(dtype)) {
        BigInteger x = AllDTypes.big(dtype, a);
        assertThat(Scalars.call(Intrinsic.ABS, dtype, a))
            .isEqualTo(AllDTypes.wrapped(dtype, x.abs()));
        assertThat(Scalars.call(Intrinsic.BITWISE_NOT, dtype, a))
            .isEqualTo(AllDTypes.wrapped(dtype, x.not()));
        for (long b : AllDTypes.edges(dtype)) {
          BigInteger y = AllDTypes.big(dtype, b);
          assertThat(Scalars.call(Intrinsic.BITWISE_AND, dtype, a, b))
              .isEqualTo(AllDTypes.wrapped(dtype, x.and(y)));
          assertThat(Scalars.call(Intrinsic.BITWISE_OR, dtype, a, b))
              .isEqualTo(AllDTypes.wrapped(dtype, x.or(y)));
          assertThat(Scalars.call(Intrinsic.BITWISE_XOR, dtype, a, b))
              .isEqualTo(AllDTypes.wrapped(dtype, x.xor(y)));
        }
      }
    }
  }

  @Test
  void functionsRefuseWhatTheyAreNot() {
    assertThatThrownBy(() -> Scalars.call(Intrinsic.EXP, DType.INT32, 1))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("exp is no function of these integers");
    assertThatThrownBy(() -> Scalars.call(Intrinsic.ATAN2, DType.INT32, 1, 1))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("atan2 is no function of these integers");
    assertThatThrownBy(() -> Scalars.call(Intrinsic.BITWISE_NOT, DType.FLOAT32, 1))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("bitwise_not is no function of these floats");
    assertThatThrownBy(() -> Scalars.call(Intrinsic.BITWISE_AND, DType.FLOAT32, 1, 1))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("bitwise_and is no function of these floats");
    assertThatThrownBy(() -> Scalars.call(Intrinsic.EXP, DType.FLOAT32, 1, 1))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("exp takes 1 argument, but got 2");
    assertThatThrownBy(() -> Scalars.binary(BinaryOp.AND, DType.FLOAT32, 1, 1))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("and of floats gives no value of this kind");
  }

  private static boolean divides(BinaryOp op) {
    return switch (op) {
      case DIV, MOD, FLOOR_DIV, FLOOR_MOD -> true;
      default -> false;
    };
  }

  private static long expected(BinaryOp op, DType dtype, long a, long b) {
    BigInteger x = AllDTypes.big(dtype, a);
    BigInteger y = AllDTypes.big(dtype, b);
    int order = x.compareTo(y);
    return switch (op) {
      case ADD -> AllDTypes.wrapped(dtype, x.add(y));
      case SUB -> AllDTypes.wrapped(dtype, x.subtract(y));
      case MUL -> AllDTypes.wrapped(dtype, x.multiply(y));
      case DIV -> AllDTypes.wrapped(dtype, x.divide(y));
      case MOD -> AllDTypes.wrapped(dtype, x.remainder(y));
      case FLOOR_DIV -> AllDTypes.wrapped(dtype, floorQuotient(x, y));
      case FLOOR_MOD -> AllDTypes.wrapped(dtype, x.subtract(floorQuotient(x, y).multiply(y)));
      case MIN -> order <= 0 ? a : b;
      case MAX -> order >= 0 ? a : b;
      case EQ -> order == 0 ? 1 : 0;
      case NE -> order != 0 ? 1 : 0;
      case LT -> order < 0 ? 1 : 0;
      case LE -> order <= 0 ? 1 : 0;
      case GT -> order > 0 ? 1 : 0;
      case GE -> order >= 0 ? 1 : 0;
      case AND, OR -> throw new IllegalArgumentException(op.text());
    };
  }

  private static BigInteger floorQuotient(BigInteger x, BigInteger y) {
    BigInteger[] parts = x.divideAndRemainder(y);
    boolean below = parts[1].signum() * y.signum() < 0;
    return below ? parts[0].subtract(BigInteger.ONE) : parts[0];
  }
}
