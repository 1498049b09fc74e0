package org.relaxvm.tir.expr;

import org.relaxvm.api.DType;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * Arithmetic of integers of any width and of booleans. Values are longs in the range of their
 * dtype; of {@code uint64} the same 64 bits.
 */
public final class IntegerMath {
  private IntegerMath() {}

  /** The value of the dtype that has the same low bits. */
  public static long wrap(DType dtype, long value) {
    if (dtype.equals(DType.BOOL)) {
      return value & 1;
    }
    int unused = Long.SIZE - dtype.bits();
    return DTypes.isUnsigned(dtype) ? value << unused >>> unused : value << unused >> unused;
  }

  /**
   * The result of an operation; comparisons give 0 or 1.
   *
   * @param dtype of the operands
   * @throws CallException a {@code ValueError} for a division by 0
   */
  public static long apply(BinaryOp op, DType dtype, long a, long b) {
    boolean unsigned = DTypes.isUnsigned(dtype);
    return switch (op) {
      case ADD -> wrap(dtype, a + b);
      case SUB -> wrap(dtype, a - b);
      case MUL -> wrap(dtype, a * b);
      case DIV -> {
        requireDivisor(op, b);
        yield unsigned ? Long.divideUnsigned(a, b) : wrap(dtype, a / b);
      }
      case MOD -> {
        requireDivisor(op, b);
        yield unsigned ? Long.remainderUnsigned(a, b) : a % b;
      }
      case FLOOR_DIV -> {
        requireDivisor(op, b);
        yield unsigned ? Long.divideUnsigned(a, b) : wrap(dtype, Math.floorDiv(a, b));
      }
      case FLOOR_MOD -> {
        requireDivisor(op, b);
        yield unsigned ? Long.remainderUnsigned(a, b) : Math.floorMod(a, b);
      }
      case MIN -> compare(unsigned, a, b) <= 0 ? a : b;
      case MAX -> compare(unsigned, a, b) >= 0 ? a : b;
      case EQ -> bit(a == b);
      case NE -> bit(a != b);
      case LT -> bit(compare(unsigned, a, b) < 0);
      case LE -> bit(compare(unsigned, a, b) <= 0);
      case GT -> bit(compare(unsigned, a, b) > 0);
      case GE -> bit(compare(unsigned, a, b) >= 0);
      case AND -> a & b;
      case OR -> a | b;
    };
  }

  private static int compare(boolean unsigned, long a, long b) {
    return unsigned ? Long.compareUnsigned(a, b) : Long.compare(a, b);
  }

  private static long bit(boolean value) {
    return value ? 1 : 0;
  }

  private static void requireDivisor(BinaryOp op, long divisor) {
    if (divisor == 0) {
      throw new CallException(ErrorKind.VALUE, "an integer is divided by 0 (" + op.text() + ")");
    }
  }
}
