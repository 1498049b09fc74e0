package org.relaxvm.compiler.op.elementwise;

import java.util.List;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.op.UnaryOps;

/**
 * Functions of one tensor. Results have its shape, and its dtype where nothing else is said. Their
 * kernels are named {@code tir_exp} and so on, since C has functions of the plain names.
 *
 * <p>Source: docs/spec/op-set.md, section 2.1.
 */
public final class Functions {
  /** The arc cosine; floats. */
  public static final OpDef ACOS = math("acos", Intrinsic.ACOS);

  /** The inverse hyperbolic cosine; floats. */
  public static final OpDef ACOSH = math("acosh", Intrinsic.ACOSH);

  /** The arc sine; floats. */
  public static final OpDef ASIN = math("asin", Intrinsic.ASIN);

  /** The inverse hyperbolic sine; floats. */
  public static final OpDef ASINH = math("asinh", Intrinsic.ASINH);

  /** The arc tangent; floats. */
  public static final OpDef ATAN = math("atan", Intrinsic.ATAN);

  /** The inverse hyperbolic tangent; floats. */
  public static final OpDef ATANH = math("atanh", Intrinsic.ATANH);

  /** The cosine; floats. */
  public static final OpDef COS = math("cos", Intrinsic.COS);

  /** The hyperbolic cosine; floats. */
  public static final OpDef COSH = math("cosh", Intrinsic.COSH);

  /** The sine; floats. */
  public static final OpDef SIN = math("sin", Intrinsic.SIN);

  /** The hyperbolic sine; floats. */
  public static final OpDef SINH = math("sinh", Intrinsic.SINH);

  /** The tangent; floats. */
  public static final OpDef TAN = math("tan", Intrinsic.TAN);

  /** The hyperbolic tangent; floats. */
  public static final OpDef TANH = math("tanh", Intrinsic.TANH);

  /** The exponential function; floats. */
  public static final OpDef EXP = math("exp", Intrinsic.EXP);

  /** The natural logarithm; floats. */
  public static final OpDef LOG = math("log", Intrinsic.LOG);

  /** The square root; floats. */
  public static final OpDef SQRT = math("sqrt", Intrinsic.SQRT);

  /** One divided by the square root; floats. */
  public static final OpDef RSQRT = math("rsqrt", Intrinsic.RSQRT);

  /** The error function; floats. */
  public static final OpDef ERF = math("erf", Intrinsic.ERF);

  /** {@code 1 / (1 + exp(-x))}; floats. */
  public static final OpDef SIGMOID =
      UnaryDef.of("sigmoid", "tir_sigmoid", UnaryDef.floats(), ActivationOps::sigmoid);

  /** The absolute value; the smallest signed integer stays itself; numbers. */
  public static final OpDef ABS = UnaryDef.of("abs", "tir_abs", UnaryDef.numbers(), UnaryOps::abs);

  /** {@code -x}; integers wrap around; numbers. */
  public static final OpDef NEGATIVE =
      UnaryDef.of("negative", "tir_negative", UnaryDef.numbers(), UnaryOps::negative);

  /** 1, 0 or -1; NaN stays NaN; numbers. */
  public static final OpDef SIGN =
      UnaryDef.of("sign", "tir_sign", UnaryDef.numbers(), UnaryOps::sign);

  /** {@code x * x}; integers wrap around; numbers. */
  public static final OpDef SQUARE =
      UnaryDef.of("square", "tir_square", UnaryDef.numbers(), UnaryOps::square);

  /** The nearest integer, of two the even one; numbers. */
  public static final OpDef ROUND =
      UnaryDef.of("round", "tir_round", UnaryDef.numbers(), UnaryOps::round);

  /** The integer above; numbers. */
  public static final OpDef CEIL =
      UnaryDef.of("ceil", "tir_ceil", UnaryDef.numbers(), UnaryOps::ceil);

  /** The integer below; numbers. */
  public static final OpDef FLOOR =
      UnaryDef.of("floor", "tir_floor", UnaryDef.numbers(), UnaryOps::floor);

  /** The integer towards 0; numbers. */
  public static final OpDef TRUNC =
      UnaryDef.of("trunc", "tir_trunc", UnaryDef.numbers(), UnaryOps::trunc);

  /** The other bits; of booleans the opposite. Integers and booleans. */
  public static final OpDef BITWISE_NOT =
      UnaryDef.of(
          "bitwise_not",
          "tir_bitwise_not",
          call ->
              ElementTypes.require(call, 0, DTypes::isIntegral, "a tensor of integers or booleans"),
          UnaryOps::bitwiseNot);

  /** Whether an element is 0, in the dtype of the tensor. */
  public static final OpDef LOGICAL_NOT =
      UnaryDef.of("logical_not", "tir_logical_not", call -> call.tensor(0), UnaryOps::logicalNot);

  /** Whether an element is neither infinite nor NaN; bool. */
  public static final OpDef ISFINITE =
      UnaryDef.of("isfinite", "tir_isfinite", UnaryDef.test(), UnaryOps::isFinite);

  /** Whether an element is infinite; bool. */
  public static final OpDef ISINF =
      UnaryDef.of("isinf", "tir_isinf", UnaryDef.test(), UnaryOps::isInf);

  /** Whether an element is NaN; bool. */
  public static final OpDef ISNAN =
      UnaryDef.of("isnan", "tir_isnan", UnaryDef.test(), UnaryOps::isNan);

  private Functions() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(
        ACOS,
        ACOSH,
        ASIN,
        ASINH,
        ATAN,
        ATANH,
        COS,
        COSH,
        SIN,
        SINH,
        TAN,
        TANH,
        EXP,
        LOG,
        SQRT,
        RSQRT,
        ERF,
        SIGMOID,
        ABS,
        NEGATIVE,
        SIGN,
        SQUARE,
        ROUND,
        CEIL,
        FLOOR,
        TRUNC,
        BITWISE_NOT,
        LOGICAL_NOT,
        ISFINITE,
        ISINF,
        ISNAN);
  }

  private static OpDef math(String name, Intrinsic function) {
    return UnaryDef.of(
        name,
        function == Intrinsic.ERF ? name : "tir_" + name,
        UnaryDef.floats(),
        (k, output, x) -> UnaryOps.math(k, output, function, x));
  }

  /** The arc cosine; floats. */
  public static Call acos(Expr x) {
    return Call.of(ACOS, x);
  }

  /** The inverse hyperbolic cosine; floats. */
  public static Call acosh(Expr x) {
    return Call.of(ACOSH, x);
  }

  /** The arc sine; floats. */
  public static Call asin(Expr x) {
    return Call.of(ASIN, x);
  }

  /** The inverse hyperbolic sine; floats. */
  public static Call asinh(Expr x) {
    return Call.of(ASINH, x);
  }

  /** The arc tangent; floats. */
  public static Call atan(Expr x) {
    return Call.of(ATAN, x);
  }

  /** The inverse hyperbolic tangent; floats. */
  public static Call atanh(Expr x) {
    return Call.of(ATANH, x);
  }

  /** The cosine; floats. */
  public static Call cos(Expr x) {
    return Call.of(COS, x);
  }

  /** The hyperbolic cosine; floats. */
  public static Call cosh(Expr x) {
    return Call.of(COSH, x);
  }

  /** The sine; floats. */
  public static Call sin(Expr x) {
    return Call.of(SIN, x);
  }

  /** The hyperbolic sine; floats. */
  public static Call sinh(Expr x) {
    return Call.of(SINH, x);
  }

  /** The tangent; floats. */
  public static Call tan(Expr x) {
    return Call.of(TAN, x);
  }

  /** The hyperbolic tangent; floats. */
  public static Call tanh(Expr x) {
    return Call.of(TANH, x);
  }

  /** The exponential function; floats. */
  public static Call exp(Expr x) {
    return Call.of(EXP, x);
  }

  /** The natural logarithm; floats. */
  public static Call log(Expr x) {
    return Call.of(LOG, x);
  }

  /** The square root; floats. */
  public static Call sqrt(Expr x) {
    return Call.of(SQRT, x);
  }

  /** One divided by the square root; floats. */
  public static Call rsqrt(Expr x) {
    return Call.of(RSQRT, x);
  }

  /** The error function; floats. */
  public static Call erf(Expr x) {
    return Call.of(ERF, x);
  }

  /** {@code 1 / (1 + exp(-x))}; floats. */
  public static Call sigmoid(Expr x) {
    return Call.of(SIGMOID, x);
  }

  /** The absolute value; the smallest signed integer stays itself; numbers. */
  public static Call abs(Expr x) {
    return Call.of(ABS, x);
  }

  /** {@code -x}; integers wrap around; numbers. */
  public static Call negative(Expr x) {
    return Call.of(NEGATIVE, x);
  }

  /** 1, 0 or -1; NaN stays NaN; numbers. */
  public static Call sign(Expr x) {
    return Call.of(SIGN, x);
  }

  /** {@code x * x}; integers wrap around; numbers. */
  public static Call square(Expr x) {
    return Call.of(SQUARE, x);
  }

  /** The nearest integer, of two the even one; numbers. */
  public static Call round(Expr x) {
    return Call.of(ROUND, x);
  }

  /** The integer above; numbers. */
  public static Call ceil(Expr x) {
    return Call.of(CEIL, x);
  }

  /** The integer below; numbers. */
  public static Call floor(Expr x) {
    return Call.of(FLOOR, x);
  }

  /** The integer towards 0; numbers. */
  public static Call trunc(Expr x) {
    return Call.of(TRUNC, x);
  }

  /** The other bits; of booleans the opposite. */
  public static Call bitwiseNot(Expr x) {
    return Call.of(BITWISE_NOT, x);
  }

  /** Whether an element is 0, in the dtype of the tensor. */
  public static Call logicalNot(Expr x) {
    return Call.of(LOGICAL_NOT, x);
  }

  /** Whether an element is neither infinite nor NaN; bool. */
  public static Call isFinite(Expr x) {
    return Call.of(ISFINITE, x);
  }

  /** Whether an element is infinite; bool. */
  public static Call isInf(Expr x) {
    return Call.of(ISINF, x);
  }

  /** Whether an element is NaN; bool. */
  public static Call isNan(Expr x) {
    return Call.of(ISNAN, x);
  }
}
