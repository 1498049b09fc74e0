package org.relaxvm.api.kernels;

import static org.relaxvm.api.kernels.ArgumentRole.NUMBER;
import static org.relaxvm.api.kernels.DTypeSet.BOOL;
import static org.relaxvm.api.kernels.DTypeSet.FLOATS;
import static org.relaxvm.api.kernels.DTypeSet.NUMBERS;
import static org.relaxvm.api.kernels.ElementwiseKernels.unary;
import static org.relaxvm.api.kernels.KernelArgument.attribute;
import static org.relaxvm.api.kernels.KernelArgument.input;
import static org.relaxvm.api.kernels.KernelArgument.output;

import java.util.ArrayList;
import java.util.List;

/** Table rows: functions of an angle, activations, tests, and functions with parameters. */
final class FunctionKernels {
  private FunctionKernels() {}

  static List<KernelSignature> signatures() {
    List<KernelSignature> rows = new ArrayList<>();
    rows.add(unary("sin", FLOATS, "Sine."));
    rows.add(unary("cos", FLOATS, "Cosine."));
    rows.add(unary("tan", FLOATS, "Tangent."));
    rows.add(unary("asin", FLOATS, "Inverse sine; NaN outside of -1 to 1."));
    rows.add(unary("acos", FLOATS, "Inverse cosine; NaN outside of -1 to 1."));
    rows.add(unary("atan", FLOATS, "Inverse tangent."));
    rows.add(unary("sinh", FLOATS, "Hyperbolic sine."));
    rows.add(unary("cosh", FLOATS, "Hyperbolic cosine."));
    rows.add(unary("asinh", FLOATS, "Inverse hyperbolic sine."));
    rows.add(unary("acosh", FLOATS, "Inverse hyperbolic cosine; NaN below 1."));
    rows.add(unary("atanh", FLOATS, "Inverse hyperbolic tangent; NaN outside of -1 to 1."));
    rows.add(
        unary("gelu_tanh", FLOATS, "`x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2`."));
    rows.add(
        unary(
            "selu",
            FLOATS,
            "`1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * (exp(x) - 1))`."));
    rows.add(test("isnan", "Whether `x` is NaN."));
    rows.add(test("isinf", "Whether `x` is infinite."));
    rows.add(test("isfinite", "Whether `x` is neither NaN nor infinite."));
    rows.add(clip());
    rows.add(leakyRelu());
    rows.add(softplus());
    return rows;
  }

  private static KernelSignature test(String name, String semantics) {
    return new KernelSignature(
        "relaxvm." + name,
        1,
        List.of(input("x", FLOATS, "broadcast to `out`", ""), output(BOOL, "any", "")),
        Aliasing.SAME_ELEMENTS,
        semantics);
  }

  private static KernelSignature clip() {
    return new KernelSignature(
        "relaxvm.clip",
        1,
        List.of(
            input("x", NUMBERS, "broadcast to `out`", ""),
            attribute("min", NUMBER, "", "converted to the dtype of `x` as by `relaxvm.cast`"),
            attribute("max", NUMBER, "", "likewise"),
            output(NUMBERS, "any", "").like("x")),
        Aliasing.SAME_ELEMENTS,
        "`minimum(maximum(x, min), max)`; NaN stays NaN.");
  }

  private static KernelSignature leakyRelu() {
    return new KernelSignature(
        "relaxvm.leaky_relu",
        1,
        List.of(
            input("x", FLOATS, "broadcast to `out`", ""),
            attribute("alpha", NUMBER, "", "the slope below 0"),
            output(FLOATS, "any", "").like("x")),
        Aliasing.SAME_ELEMENTS,
        "`x > 0 ? x : alpha * x`.");
  }

  private static KernelSignature softplus() {
    return new KernelSignature(
        "relaxvm.softplus",
        1,
        List.of(
            input("x", FLOATS, "broadcast to `out`", ""),
            attribute("beta", NUMBER, "", "not 0"),
            attribute("threshold", NUMBER, "", "the result is `x` where `beta * x` is above it"),
            output(FLOATS, "any", "").like("x")),
        Aliasing.SAME_ELEMENTS,
        "`log(1 + exp(beta * x)) / beta`.");
  }
}
