package org.relaxvm.tir.scalar;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.BinaryOp;

/**
 * Arithmetic of floats as doubles, before {@link FloatRounding}. Doubles have more than twice the
 * bits of the narrower floats, so that rounding sums, differences, products, quotients and square
 * roots again gives the nearest number of the dtype.
 */
public final class FloatMath {
  private FloatMath() {}

  /** The result of an operation on numbers that gives a number. */
  public static double apply(BinaryOp op, double a, double b) {
    return switch (op) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> a / b;
      case MOD -> a % b;
      case FLOOR_DIV -> Math.floor(a / b);
      case FLOOR_MOD -> floorMod(a, b);
      case MIN -> min(a, b);
      case MAX -> max(a, b);
      default -> throw notHere(op);
    };
  }

  /** Whether a comparison holds; with a NaN only {@code !=} does, and 0 equals -0. */
  public static boolean compare(BinaryOp op, double a, double b) {
    return switch (op) {
      case EQ -> a == b;
      case NE -> a != b;
      case LT -> a < b;
      case LE -> a <= b;
      case GT -> a > b;
      case GE -> a >= b;
      default -> throw notHere(op);
    };
  }

  /** The smaller one, NaN when either is; -0 is smaller than 0. */
  public static double min(double a, double b) {
    return Math.min(a, b);
  }

  /** The larger one, NaN when either is; 0 is larger than -0. */
  public static double max(double a, double b) {
    return Math.max(a, b);
  }

  /** The remainder of {@code a / b} rounded down: has the sign of {@code b} where it is not 0. */
  public static double floorMod(double a, double b) {
    double remainder = a % b;
    return remainder != 0 && remainder < 0 != b < 0 ? remainder + b : remainder;
  }

  private static InvalidProgramException notHere(BinaryOp op) {
    return new InvalidProgramException(
        ErrorKind.TYPE, op.text() + " of floats gives no value of this kind");
  }
}
