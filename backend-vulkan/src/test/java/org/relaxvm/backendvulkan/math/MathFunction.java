package org.relaxvm.backendvulkan.math;

import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoublePredicate;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.scalar.FloatFunctions;

/**
 * A function of one or two floats that kernels call.
 *
 * @param formula in the text form of kernels, of {@code A[v]} and {@code B[v]}
 * @param low the least argument of the range where it changes most
 * @param high the largest one
 * @param units32 how many floats a result of float32 may lie beside the right one
 * @param units64 how many floats a result of float64 may, which includes what the definition may
 * @param definition of two doubles, of which it may leave the second
 */
record MathFunction(
    String formula,
    double low,
    double high,
    int units32,
    int units64,
    DoubleBinaryOperator definition) {

  static List<MathFunction> all() {
    return List.of(
        of(Intrinsic.EXP, -110, 95, 2, 3),
        of(Intrinsic.LOG, 0, 4, 2, 3),
        of(Intrinsic.SIN, -600, 600, 2, 3),
        of(Intrinsic.COS, -600, 600, 2, 3),
        of(Intrinsic.TAN, -600, 600, 2, 3),
        of(Intrinsic.ASIN, -1, 1, 2, 3),
        of(Intrinsic.ACOS, -1, 1, 2, 3),
        of(Intrinsic.ATAN, -5, 5, 2, 3),
        of(Intrinsic.SINH, -92, 92, 2, 4),
        of(Intrinsic.COSH, -92, 92, 2, 4),
        of(Intrinsic.TANH, -12, 12, 2, 4),
        of(Intrinsic.ASINH, -10, 10, 2, 5),
        of(Intrinsic.ACOSH, 1, 10, 2, 5),
        of(Intrinsic.ATANH, -1, 1, 2, 5),
        // The definition is within 1e-15 of its value.
        of(Intrinsic.ERF, -7, 7, 3, 12),
        of(Intrinsic.SIGMOID, -110, 110, 2, 5),
        of(Intrinsic.RSQRT, 0, 10, 2, 3),
        // Devices may take the root of float32 with an error of 2.5 units.
        of(Intrinsic.SQRT, 0, 10, 3, 3),
        of(Intrinsic.CEIL, -10, 10, 0, 0),
        of(Intrinsic.FLOOR, -10, 10, 0, 0),
        of(Intrinsic.NEARBYINT, -10, 10, 0, 0),
        of(Intrinsic.TRUNC, -10, 10, 0, 0),
        of(Intrinsic.ABS, -10, 10, 0, 0),
        ofTwo(Intrinsic.POW, 2, 3),
        // Tiny quotients are divided once, in float32 with an error of 2.5 units.
        ofTwo(Intrinsic.ATAN2, 4, 4),
        new MathFunction("T.truncmod(A[v], B[v])", -30, 30, 0, 0, (x, y) -> x % y),
        test(Intrinsic.ISNAN, Double::isNaN),
        test(Intrinsic.ISINF, Double::isInfinite),
        test(Intrinsic.ISFINITE, Double::isFinite));
  }

  private static MathFunction of(
      Intrinsic function, double low, double high, int units32, int units64) {
    return new MathFunction(
        "T." + function.text() + "(A[v])",
        low,
        high,
        units32,
        units64,
        (x, y) -> FloatFunctions.apply(function, x));
  }

  private static MathFunction ofTwo(Intrinsic function, int units32, int units64) {
    return new MathFunction(
        "T." + function.text() + "(A[v], B[v])",
        -30,
        30,
        units32,
        units64,
        (x, y) -> FloatFunctions.apply(function, x, y));
  }

  private static MathFunction test(Intrinsic function, DoublePredicate definition) {
    return new MathFunction(
        "T.Cast(\"DTYPE\", T." + function.text() + "(A[v]))",
        -1,
        1,
        0,
        0,
        (x, y) -> definition.test(x) ? 1 : 0);
  }

  /** A kernel that applies it to two tensors of floats, element by element. */
  String kernel(String dtype) {
    return """
    @T.prim_func
    def applied(A: T.Buffer((n,), "DTYPE"), B: T.Buffer((n,), "DTYPE"), C: T.Buffer((n,), "DTYPE")):
        n = T.int64()
        for i in range(n):
            with T.block("C"):
                v = T.axis.spatial(n, i)
                C[v] = FORMULA
    """
        .replace("FORMULA", formula)
        .replace("DTYPE", dtype);
  }

  @Override
  public String toString() {
    return formula;
  }
}
