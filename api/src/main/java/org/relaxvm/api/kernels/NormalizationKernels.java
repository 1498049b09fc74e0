package org.relaxvm.api.kernels;

import static org.relaxvm.api.kernels.ArgumentRole.INT;
import static org.relaxvm.api.kernels.ArgumentRole.NUMBER;
import static org.relaxvm.api.kernels.ArgumentRole.SHAPE;
import static org.relaxvm.api.kernels.DTypeSet.FLOATS;
import static org.relaxvm.api.kernels.KernelArgument.attribute;
import static org.relaxvm.api.kernels.KernelArgument.input;
import static org.relaxvm.api.kernels.KernelArgument.output;

import java.util.List;

/** Table rows: normalization by the statistics of lines, groups and channels. */
final class NormalizationKernels {
  private static final String AXES = "distinct axes, negative ones count from the end";
  private static final String ALONG_AXES = "extents of `x` along `axes`, in their order";
  private static final String STATISTICS =
      " The variance is the mean of `(x - mean)^2`. Statistics accumulate in float32 or wider; the"
          + " order is not specified.";

  private NormalizationKernels() {}

  static List<KernelSignature> signatures() {
    return List.of(layerNorm(), rmsNorm(), groupNorm(), batchNorm());
  }

  private static KernelSignature layerNorm() {
    return new KernelSignature(
        "relaxvm.layer_norm",
        1,
        List.of(
            input("x", FLOATS, "[...]", ""),
            input("gamma", FLOATS, ALONG_AXES, "null means 1").like("x").optional(),
            input("beta", FLOATS, ALONG_AXES, "null means 0").like("x").optional(),
            attribute("axes", SHAPE, "[...]", AXES),
            epsilon(),
            output(FLOATS, "shape of `x`", "").like("x")),
        Aliasing.SAME_ELEMENTS,
        "`(x - mean) / sqrt(variance + epsilon) * gamma + beta` with the statistics of the elements"
            + " along `axes`."
            + STATISTICS);
  }

  private static KernelSignature rmsNorm() {
    return new KernelSignature(
        "relaxvm.rms_norm",
        1,
        List.of(
            input("x", FLOATS, "[...]", ""),
            input("weight", FLOATS, ALONG_AXES, "null means 1").like("x").optional(),
            attribute("axes", SHAPE, "[...]", AXES),
            epsilon(),
            output(FLOATS, "shape of `x`", "").like("x")),
        Aliasing.SAME_ELEMENTS,
        "`x / sqrt(mean(x^2) + epsilon) * weight` with the mean over the elements along `axes`. It"
            + " accumulates in float32 or wider; the order is not specified.");
  }

  private static KernelSignature groupNorm() {
    return new KernelSignature(
        "relaxvm.group_norm",
        1,
        List.of(
            input("x", FLOATS, "[..., c, ...]", "rank 1 or more"),
            input("gamma", FLOATS, "[c]", "null means 1").like("x").optional(),
            input("beta", FLOATS, "[c]", "null means 0").like("x").optional(),
            attribute("num_groups", INT, "", "divides `c`; at least 1"),
            attribute("channel_axis", INT, "", "negative counts from the end"),
            attribute("axes", SHAPE, "[...]", AXES + "; without `channel_axis`"),
            epsilon(),
            output(FLOATS, "shape of `x`", "").like("x")),
        Aliasing.SAME_ELEMENTS,
        "`(x - mean) / sqrt(variance + epsilon) * gamma + beta` with the statistics of the elements"
            + " along `axes` in the `c / num_groups` channels of a group; `gamma` and `beta` are"
            + " per channel."
            + STATISTICS
            + " Instance normalization is that of `c` groups.");
  }

  private static KernelSignature batchNorm() {
    return new KernelSignature(
        "relaxvm.batch_norm",
        1,
        List.of(
            input("x", FLOATS, "[..., c, ...]", "rank 1 or more"),
            input("gamma", FLOATS, "[c]", "null means 1").like("x").optional(),
            input("beta", FLOATS, "[c]", "null means 0").like("x").optional(),
            input("mean", FLOATS, "[c]", "").like("x"),
            input("variance", FLOATS, "[c]", "").like("x"),
            attribute("axis", INT, "", "that of the channels; negative counts from the end"),
            epsilon(),
            output(FLOATS, "shape of `x`", "").like("x")),
        Aliasing.SAME_ELEMENTS,
        "`(x - mean) / sqrt(variance + epsilon) * gamma + beta` with given statistics per channel,"
            + " as in inference.");
  }

  private static KernelArgument epsilon() {
    return attribute("epsilon", NUMBER, "", "added to keep the root from 0");
  }
}
