package org.relaxvm.api.kernels;

import static org.relaxvm.api.kernels.ArgumentRole.BOOL;
import static org.relaxvm.api.kernels.ArgumentRole.OPTIONAL_SHAPE;
import static org.relaxvm.api.kernels.DTypeSet.FLOATS;
import static org.relaxvm.api.kernels.DTypeSet.NUMBERS;
import static org.relaxvm.api.kernels.KernelArgument.attribute;
import static org.relaxvm.api.kernels.KernelArgument.input;
import static org.relaxvm.api.kernels.KernelArgument.output;

import java.util.List;

/** Table rows: reductions over axes. */
final class ReductionKernels {
  private ReductionKernels() {}

  static List<KernelSignature> signatures() {
    return List.of(
        reduction("sum", NUMBERS, "Sum; 0 of nothing. Integers wrap around."),
        reduction("mean", FLOATS, "Arithmetic mean; NaN of nothing."),
        reduction("prod", NUMBERS, "Product; 1 of nothing. Integers wrap around."),
        reduction("max", NUMBERS, "Largest element; NaN when any is NaN. An error of nothing."),
        reduction("min", NUMBERS, "Smallest element; NaN when any is NaN. An error of nothing."));
  }

  private static KernelSignature reduction(String name, DTypeSet dtypes, String semantics) {
    return new KernelSignature(
        "relaxvm." + name,
        1,
        List.of(
            input("x", dtypes, "[...]", ""),
            attribute(
                "axes",
                OPTIONAL_SHAPE,
                "[...]",
                "distinct axes, negative ones count from the end; null means all"),
            attribute("keepdims", BOOL, "", "reduced axes stay with extent 1"),
            output(dtypes, "`x` without the reduced axes", "").like("x")),
        Aliasing.FORBIDDEN,
        semantics + " Floats accumulate in float32 or wider; the order is not specified.");
  }
}
