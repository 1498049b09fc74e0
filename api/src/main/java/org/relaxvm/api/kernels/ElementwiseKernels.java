package org.relaxvm.api.kernels;

import static org.relaxvm.api.kernels.DTypeSet.ALL;
import static org.relaxvm.api.kernels.DTypeSet.BOOL;
import static org.relaxvm.api.kernels.DTypeSet.CASTABLE;
import static org.relaxvm.api.kernels.DTypeSet.FLOATS;
import static org.relaxvm.api.kernels.DTypeSet.INTEGERS;
import static org.relaxvm.api.kernels.DTypeSet.NUMBERS;
import static org.relaxvm.api.kernels.KernelArgument.input;
import static org.relaxvm.api.kernels.KernelArgument.output;

import java.util.ArrayList;
import java.util.List;

/** Table rows: functions of one, two and three elements. */
final class ElementwiseKernels {
  private static final String BY_0 = " 0 when `b` is 0.";

  private ElementwiseKernels() {}

  static List<KernelSignature> signatures() {
    List<KernelSignature> rows = new ArrayList<>();
    arithmetic(rows);
    comparisons(rows);
    unary(rows);
    rows.add(where());
    rows.add(cast());
    return rows;
  }

  private static void arithmetic(List<KernelSignature> rows) {
    rows.add(binary("add", NUMBERS, "`a + b`. Integers wrap around."));
    rows.add(binary("subtract", NUMBERS, "`a - b`. Integers wrap around."));
    rows.add(binary("multiply", NUMBERS, "`a * b`. Integers wrap around."));
    rows.add(
        binary(
            "divide",
            NUMBERS,
            "`a / b`. Floats as IEEE 754; integers round toward 0, division by 0 gives 0, and the"
                + " smallest integer divided by -1 wraps around to itself."));
    rows.add(binary("maximum", NUMBERS, "The larger one; NaN when either is NaN."));
    rows.add(binary("minimum", NUMBERS, "The smaller one; NaN when either is NaN."));
    rows.add(
        binary(
            "power",
            NUMBERS,
            "`a` to the power of `b`. Floats as C `pow`; integers wrap around, and a negative"
                + " exponent gives 0 unless `a` is 1 or -1."));
    rows.add(
        binary(
            "floor_divide", NUMBERS, "`floor(a / b)`; integers otherwise as in `relaxvm.divide`."));
    rows.add(
        binary(
            "mod",
            NUMBERS,
            "The remainder of `a / b` rounded toward 0, as C `fmod`. Integers:" + BY_0));
    rows.add(
        binary(
            "floor_mod",
            NUMBERS,
            "The remainder of `a / b` rounded down; not 0, it has the sign of `b`. Integers:"
                + BY_0));
    rows.add(binary("logical_and", BOOL, "True when both are."));
    rows.add(binary("logical_or", BOOL, "True when either is."));
    rows.add(binary("logical_xor", BOOL, "True when one of them is."));
    rows.add(binary("bitwise_and", INTEGERS, "The bits that both have."));
    rows.add(binary("bitwise_or", INTEGERS, "The bits that either has."));
    rows.add(binary("bitwise_xor", INTEGERS, "The bits that one of them has."));
    rows.add(
        binary(
            "left_shift",
            INTEGERS,
            "`a` moved up by `b` bits; 0 when `b` is negative or not below the bits of the"
                + " dtype."));
    rows.add(
        binary(
            "right_shift",
            INTEGERS,
            "`a` moved down by `b` bits, filled with the sign bit of signed integers; filled"
                + " wholly when `b` is negative or not below the bits of the dtype."));
  }

  private static void comparisons(List<KernelSignature> rows) {
    rows.add(comparison("equal", ALL, "`a == b`"));
    rows.add(comparison("not_equal", ALL, "`a != b`"));
    rows.add(comparison("less", NUMBERS, "`a < b`"));
    rows.add(comparison("less_equal", NUMBERS, "`a <= b`"));
    rows.add(comparison("greater", NUMBERS, "`a > b`"));
    rows.add(comparison("greater_equal", NUMBERS, "`a >= b`"));
  }

  private static void unary(List<KernelSignature> rows) {
    rows.add(unary("negative", NUMBERS, "`-x`. Integers wrap around."));
    rows.add(unary("abs", NUMBERS, "Absolute value. The smallest signed integer wraps to itself."));
    rows.add(unary("exp", FLOATS, "e to the power of `x`."));
    rows.add(unary("log", FLOATS, "Natural logarithm; NaN below 0, -inf at 0."));
    rows.add(unary("sqrt", FLOATS, "Square root; NaN below 0."));
    rows.add(unary("rsqrt", FLOATS, "`1 / sqrt(x)`."));
    rows.add(unary("tanh", FLOATS, "Hyperbolic tangent."));
    rows.add(unary("sigmoid", FLOATS, "`1 / (1 + exp(-x))`."));
    rows.add(unary("relu", NUMBERS, "`max(x, 0)`; NaN stays NaN."));
    rows.add(unary("gelu", FLOATS, "`x * (1 + erf(x / sqrt(2))) / 2`."));
    rows.add(unary("silu", FLOATS, "`x * sigmoid(x)`."));
    rows.add(unary("erf", FLOATS, "Error function."));
    rows.add(unary("floor", FLOATS, "Rounds down."));
    rows.add(unary("ceil", FLOATS, "Rounds up."));
    rows.add(unary("round", FLOATS, "Rounds to the nearest integer, halves to the even one."));
    rows.add(unary("trunc", FLOATS, "Rounds toward 0."));
    rows.add(unary("sign", NUMBERS, "1, 0 or -1; NaN stays NaN."));
    rows.add(unary("square", NUMBERS, "`x * x`. Integers wrap around."));
    rows.add(unary("bitwise_not", INTEGERS, "The bits that `x` has not."));
    rows.add(unary("logical_not", BOOL, "True when `x` is false."));
  }

  private static KernelSignature binary(String name, DTypeSet dtypes, String semantics) {
    return new KernelSignature(
        "relaxvm." + name,
        1,
        List.of(
            input("a", dtypes, "broadcast to `out`", ""),
            input("b", dtypes, "broadcast to `out`", "").like("a"),
            output(dtypes, "broadcast of `a` and `b`", "").like("a")),
        Aliasing.SAME_ELEMENTS,
        semantics);
  }

  private static KernelSignature comparison(String name, DTypeSet dtypes, String formula) {
    return new KernelSignature(
        "relaxvm." + name,
        1,
        List.of(
            input("a", dtypes, "broadcast to `out`", ""),
            input("b", dtypes, "broadcast to `out`", "").like("a"),
            output(BOOL, "broadcast of `a` and `b`", "")),
        Aliasing.SAME_ELEMENTS,
        formula + ". With a NaN only `not_equal` is true.");
  }

  static KernelSignature unary(String name, DTypeSet dtypes, String semantics) {
    return new KernelSignature(
        "relaxvm." + name,
        1,
        List.of(input("x", dtypes, "broadcast to `out`", ""), output(dtypes, "any", "").like("x")),
        Aliasing.SAME_ELEMENTS,
        semantics);
  }

  private static KernelSignature where() {
    return new KernelSignature(
        "relaxvm.where",
        1,
        List.of(
            input("condition", BOOL, "broadcast to `out`", ""),
            input("a", ALL, "broadcast to `out`", ""),
            input("b", ALL, "broadcast to `out`", "").like("a"),
            output(ALL, "broadcast of the inputs", "").like("a")),
        Aliasing.SAME_ELEMENTS,
        "`a` where the condition is true, else `b`.");
  }

  private static KernelSignature cast() {
    return new KernelSignature(
        "relaxvm.cast",
        1,
        List.of(input("x", CASTABLE, "broadcast to `out`", ""), output(CASTABLE, "any", "")),
        Aliasing.SAME_ELEMENTS,
        "Converts to the dtype of `out`. Float to float rounds to nearest even, and what is too"
            + " large becomes infinite, or NaN in float8_e4m3fn; float to integer drops the"
            + " fraction, values out of range give the nearest integer of the dtype, NaN gives 0;"
            + " integer to integer keeps the low bits; to bool gives `x != 0`.");
  }
}
