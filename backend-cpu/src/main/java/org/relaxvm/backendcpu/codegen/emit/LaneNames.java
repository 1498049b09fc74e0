package org.relaxvm.backendcpu.codegen.emit;

import java.util.Locale;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Intrinsic;

/** The names of vector operations. */
final class LaneNames {
  private LaneNames() {}

  static String of(BinaryOp op, DType dtype) {
    String name = camelCase(op.name());
    if (dtype.isFloat() || dtype.equals(DType.BOOL) || !DTypes.isUnsigned(dtype)) {
      return name;
    }
    return switch (op) {
      case DIV, MOD, FLOOR_DIV, FLOOR_MOD, MIN, MAX, LT, LE, GT, GE -> name + "Unsigned";
      default -> name;
    };
  }

  static String of(Intrinsic op, DType dtype) {
    String name = camelCase(op.name());
    boolean unsigned = !dtype.isFloat() && DTypes.isUnsigned(dtype);
    return unsigned && (op == Intrinsic.SHIFT_RIGHT || op == Intrinsic.POW || op == Intrinsic.ABS)
        ? name + "Unsigned"
        : name;
  }

  /** Whether an operation fails for a lane that does not count, unless it is told which do. */
  static boolean mayFail(BinaryOp op, DType dtype) {
    return !dtype.isFloat()
        && switch (op) {
          case DIV, MOD, FLOOR_DIV, FLOOR_MOD -> true;
          default -> false;
        };
  }

  /** Whether an operation is told how many bits its dtype has. */
  static boolean needsBits(Intrinsic op) {
    return op == Intrinsic.SHIFT_LEFT || op == Intrinsic.SHIFT_RIGHT;
  }

  static String cast(DType from, DType to) {
    return from + "To" + JvmKind.title(to);
  }

  private static String camelCase(String name) {
    StringBuilder text = new StringBuilder();
    for (String part : name.toLowerCase(Locale.ROOT).split("_")) {
      text.append(
          text.isEmpty() ? part : Character.toUpperCase(part.charAt(0)) + part.substring(1));
    }
    return text.toString();
  }
}
