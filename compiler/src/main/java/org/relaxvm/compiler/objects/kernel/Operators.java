package org.relaxvm.compiler.objects.kernel;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Intrinsic;

/** The names of operations and functions. */
final class Operators {
  /** Two halves of 32 bits of a constant that int64 has no room for. */
  static final String LARGE_CONSTANT = "tirx.large_uint_imm";

  /** A condition that holds nearly always. */
  static final String LIKELY = "tirx.likely";

  private static final Map<String, BinaryOp> BINARY =
      Arrays.stream(BinaryOp.values()).collect(Collectors.toMap(Operators::key, op -> op));
  private static final Map<String, Intrinsic> INTRINSICS =
      Arrays.stream(Intrinsic.values())
          .collect(Collectors.toMap(Operators::name, Function.identity()));

  private Operators() {}

  /** The operations by type key. */
  static Map<String, BinaryOp> binary() {
    return BINARY;
  }

  /** The functions by operator. */
  static Map<String, Intrinsic> intrinsics() {
    return INTRINSICS;
  }

  /** The type key of an operation. */
  static String key(BinaryOp op) {
    return "tirx."
        + switch (op) {
          case ADD -> "Add";
          case SUB -> "Sub";
          case MUL -> "Mul";
          case DIV -> "Div";
          case MOD -> "Mod";
          case FLOOR_DIV -> "FloorDiv";
          case FLOOR_MOD -> "FloorMod";
          case MIN -> "Min";
          case MAX -> "Max";
          case AND -> "And";
          case OR -> "Or";
          case EQ, NE, LT, LE, GT, GE -> op.name();
        };
  }

  /** The operator of a function. */
  static String name(Intrinsic intrinsic) {
    return "tirx." + (intrinsic == Intrinsic.ABS ? "fabs" : intrinsic.text());
  }
}
