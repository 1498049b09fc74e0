package org.relaxvm.backendvulkan.kernels;

import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.codegen.Dialect;
import org.relaxvm.backendsupport.gpu.codegen.Helper;
import org.relaxvm.tir.expr.DTypes;

/**
 * The helpers in GLSL. Nothing is left to what SPIR-V does not define: the remainder of negative
 * operands, and moves by more bits than there are.
 */
final class GlslHelpers {
  private final Dialect dialect;
  private final DType dtype;
  private final String zero;
  private final String one;
  private final boolean unsigned;

  private GlslHelpers(Dialect dialect, DType dtype) {
    this.dialect = dialect;
    this.dtype = dtype;
    this.zero = dtype.isFloat() ? dialect.literal(dtype, 0.0) : dialect.literal(dtype, 0);
    this.one = dtype.isFloat() ? dialect.literal(dtype, 1.0) : dialect.literal(dtype, 1);
    this.unsigned = DTypes.isUnsigned(dtype);
  }

  /** The definition of a helper. */
  static String definition(Dialect dialect, Helper helper, DType dtype, String name) {
    String type = dialect.type(dtype);
    return "%s %s(%s a, %s b) { %s }"
        .formatted(type, name, type, type, new GlslHelpers(dialect, dtype).body(helper));
  }

  private String body(Helper helper) {
    return switch (helper) {
      case DIVIDE ->
          unsigned
              ? "return b == " + zero + " ? " + zero + " : a / b;"
              : "return b == %s ? %s : b == -%s ? %s : a / b;"
                  .formatted(zero, zero, one, GlslTypes.wrap(dtype, "(-a)"));
      case REMAINDER ->
          unsigned
              ? "return b == " + zero + " ? " + zero + " : a % b;"
              : "return b == %s || b == -%s ? %s : a - a / b * b;".formatted(zero, one, zero);
      case FLOOR_DIVIDE ->
          unsigned
              ? "return " + call(Helper.DIVIDE) + ";"
              : remainder(call(Helper.REMAINDER))
                  + "return %s - (%s ? %s : %s);"
                      .formatted(call(Helper.DIVIDE), differs(), one, zero);
      case FLOOR_REMAINDER ->
          unsigned
              ? "return " + call(Helper.REMAINDER) + ";"
              : remainder(
                      dtype.isFloat()
                          ? dialect.floatRemainder(dtype, "a", "b")
                          : call(Helper.REMAINDER))
                  + "return "
                  + differs()
                  + " ? r + b : r;";
      case MIN -> "return " + orNaN() + "a < b ? a : b;";
      case MAX -> "return " + orNaN() + "a > b ? a : b;";
      case SHIFT_LEFT ->
          "return %s ? %s : %s;".formatted(outside(), zero, GlslTypes.wrap(dtype, "(a << int(b))"));
      case SHIFT_RIGHT ->
          "return %s ? %s : a >> int(b);"
              .formatted(outside(), unsigned ? zero : "a >> " + (dtype.bits() - 1));
      case POWER -> power();
      case ABSOLUTE -> "return a < %s ? %s : a;".formatted(zero, GlslTypes.wrap(dtype, "(-a)"));
    };
  }

  private String call(Helper helper) {
    return helper.nameFor(dialect, dtype) + "(a, b)";
  }

  private String remainder(String value) {
    return dialect.type(dtype) + " r = " + value + "; ";
  }

  /** Whether the remainder has not the sign of the divisor. */
  private String differs() {
    return "r != %s && (r < %s) != (b < %s)".formatted(zero, zero, zero);
  }

  private String orNaN() {
    return dtype.isFloat() ? "rv_isnan" + GlslTypes.floatBits(dialect.type(dtype)) + "(a) || " : "";
  }

  private String outside() {
    String tooLarge = "b >= " + dialect.literal(dtype, dtype.bits());
    return unsigned ? tooLarge : "b < " + zero + " || " + tooLarge;
  }

  private String power() {
    String odd = "(b & " + one + ") != " + zero;
    String negative =
        unsigned
            ? ""
            : "if (b < %s) return a == %s ? %s : a == -%s ? (%s ? -%s : %s) : %s; "
                .formatted(zero, one, one, one, odd, one, one, zero);
    return negative
        + "%s r = %s; for (; b != %s; b = b >> 1) { if (%s) r = %s; a = %s; } return r;"
            .formatted(
                dialect.type(dtype),
                one,
                zero,
                odd,
                GlslTypes.wrap(dtype, "(r * a)"),
                GlslTypes.wrap(dtype, "(a * a)"));
  }
}
