package org.relaxvm.backendsupport.gpu.codegen;

import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.tir.expr.DTypes;

/** The helpers in plain C. */
final class CHelpers {
  private CHelpers() {}

  /** What follows {@code static inline} in the definition of a helper. */
  static String definition(Dialect dialect, Helper helper, DType dtype, String name) {
    String unsigned =
        dtype.isFloat() ? "" : dialect.type(new DType(TypeCode.UINT, dtype.bits(), 1));
    String text =
        switch (helper) {
          case DIVIDE -> "return b == 0 ? 0 : b == (%1$s)-1 && b < 0 ? (%1$s)(0 - a) : a / b;";
          case REMAINDER -> "return b == 0 || b == (%1$s)-1 && b < 0 ? 0 : a %% b;";
          case FLOOR_DIVIDE ->
              "%1$s r = "
                  + call(dialect, Helper.REMAINDER, dtype)
                  + "; return "
                  + call(dialect, Helper.DIVIDE, dtype)
                  + " - (r != 0 && (r < 0) != (b < 0) ? 1 : 0);";
          case FLOOR_REMAINDER ->
              "%1$s r = "
                  + (dtype.isFloat()
                      ? dialect.floatRemainder(dtype, "a", "b")
                      : call(dialect, Helper.REMAINDER, dtype))
                  + "; return r != 0 && (r < 0) != (b < 0) ? r + b : r;";
          case MIN -> "return a != a || a < b ? a : b;";
          case MAX -> "return a != a || a > b ? a : b;";
          case SHIFT_LEFT ->
              "return b < 0 || b >= " + dtype.bits() + " ? 0 : (%1$s)((%3$s)a << b);";
          case SHIFT_RIGHT -> {
            String outside = DTypes.isUnsigned(dtype) ? "0" : "a >> " + (dtype.bits() - 1);
            yield "return b < 0 || b >= " + dtype.bits() + " ? " + outside + " : a >> b;";
          }
          case POWER -> POWER;
          case ABSOLUTE -> "return a < 0 ? (%1$s)((%3$s)0 - (%3$s)a) : a;";
        };
    String end = text.endsWith("\n") ? "}" : " }";
    String start = text.startsWith("\n") ? "{" : "{ ";
    return ("%1$s %2$s(%1$s a, %1$s b) " + start + text + end)
        .formatted(dialect.type(dtype), name, unsigned);
  }

  private static final String POWER =
      """

        if (b < 0) return a == 1 ? 1 : a == (%1$s)-1 ? (b %% 2 == 0 ? 1 : (%1$s)-1) : 0;
        %3$s r = 1, s = (%3$s)a;
        for (; b != 0; b = b / 2) { if (b %% 2 != 0) r = r * s; s = s * s; }
        return (%1$s)r;
      """;

  private static String call(Dialect dialect, Helper helper, DType dtype) {
    return helper.nameFor(dialect, dtype) + "(a, b)";
  }
}
