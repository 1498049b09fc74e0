package org.relaxvm.api.kernels;

import static org.relaxvm.api.kernels.ArgumentRole.INPUT_LIST;
import static org.relaxvm.api.kernels.ArgumentRole.INT;
import static org.relaxvm.api.kernels.ArgumentRole.NUMBER;
import static org.relaxvm.api.kernels.ArgumentRole.OPTIONAL_SHAPE;
import static org.relaxvm.api.kernels.DTypeSet.ALL;
import static org.relaxvm.api.kernels.DTypeSet.NUMBERS;
import static org.relaxvm.api.kernels.KernelArgument.attribute;
import static org.relaxvm.api.kernels.KernelArgument.input;
import static org.relaxvm.api.kernels.KernelArgument.output;

import java.util.List;

/** Table rows: kernels that move or make elements. */
final class DataMovementKernels {
  private DataMovementKernels() {}

  static List<KernelSignature> signatures() {
    return List.of(copy(), reshape(), permuteDims(), concat(), full(), arange());
  }

  private static KernelSignature copy() {
    return new KernelSignature(
        "relaxvm.copy",
        1,
        List.of(input("x", ALL, "broadcast to `out`", ""), output(ALL, "any", "").like("x")),
        Aliasing.SAME_ELEMENTS,
        "Copies, repeating `x` along axes where its extent is 1 or missing.");
  }

  private static KernelSignature reshape() {
    return new KernelSignature(
        "relaxvm.reshape",
        1,
        List.of(input("x", ALL, "[...]", ""), output(ALL, "any of as many elements", "").like("x")),
        Aliasing.FORBIDDEN,
        "Copies the elements in row-major order into another shape.");
  }

  private static KernelSignature permuteDims() {
    return new KernelSignature(
        "relaxvm.permute_dims",
        1,
        List.of(
            input("x", ALL, "[...]", ""),
            attribute(
                "axes",
                OPTIONAL_SHAPE,
                "[rank of `x`]",
                "a permutation, negative axes count from the end; null reverses the axes"),
            output(ALL, "permuted shape of `x`", "").like("x")),
        Aliasing.FORBIDDEN,
        "Transposes: axis `i` of `out` is axis `axes[i]` of `x`.");
  }

  private static KernelSignature concat() {
    return new KernelSignature(
        "relaxvm.concat",
        1,
        List.of(
            new KernelArgument(
                "xs", INPUT_LIST, ALL, null, "[...]", "equal shapes but for `axis`; at least one"),
            attribute("axis", INT, "", "negative counts from the end"),
            output(ALL, "shape of `xs` with the sum along `axis`", "").like("xs")),
        Aliasing.FORBIDDEN,
        "Joins tensors along an axis.");
  }

  private static KernelSignature full() {
    return new KernelSignature(
        "relaxvm.full",
        1,
        List.of(
            attribute("value", NUMBER, "", "converted to the dtype of `out` as by `relaxvm.cast`"),
            output(ALL, "any", "")),
        Aliasing.FORBIDDEN,
        "Sets every element to one value.");
  }

  private static KernelSignature arange() {
    return new KernelSignature(
        "relaxvm.arange",
        1,
        List.of(
            attribute("start", NUMBER, "", "the first element"),
            attribute("step", NUMBER, "", "the difference of neighbours"),
            output(NUMBERS, "[n]", "")),
        Aliasing.FORBIDDEN,
        "Element `i` is `start + i * step`, computed in int64 when both are integers, else in"
            + " float64, then converted as by `relaxvm.cast`.");
  }
}
