package org.relaxvm.api.kernels;

import static org.relaxvm.api.kernels.ArgumentRole.INT;
import static org.relaxvm.api.kernels.ArgumentRole.NUMBER;
import static org.relaxvm.api.kernels.ArgumentRole.STRING;
import static org.relaxvm.api.kernels.DTypeSet.ALL;
import static org.relaxvm.api.kernels.DTypeSet.INDICES;
import static org.relaxvm.api.kernels.KernelArgument.attribute;
import static org.relaxvm.api.kernels.KernelArgument.input;
import static org.relaxvm.api.kernels.KernelArgument.output;

import java.util.List;

/** Table rows: kernels that find elements by the numbers in another tensor. */
final class IndexingKernels {
  private static final String RANGE =
      " Indices are from `-n` to `n - 1` for an axis of extent `n`, negative ones count from the"
          + " end; another one is an error, on an asynchronous device at the latest when its"
          + " stream is synchronized.";

  private static final String REDUCTION =
      " With a `reduction` the element and the update are combined instead: `add`, `mul`, `max`,"
          + " `min`, or `mean`, which is `(element + update) / 2`; integers and NaN as in"
          + " `relaxvm.add`, `relaxvm.divide`, `relaxvm.maximum`. Updates of one element happen in"
          + " row-major order of `indices`. Booleans allow `update` only.";

  private IndexingKernels() {}

  static List<KernelSignature> signatures() {
    return List.of(take(), gatherElements(), gatherNd(), scatterElements(), scatterNd(), oneHot());
  }

  private static KernelSignature take() {
    return new KernelSignature(
        "relaxvm.take",
        1,
        List.of(
            input("x", ALL, "[...]", "rank 1 or more"),
            input("indices", INDICES, "[...]", ""),
            attribute("axis", INT, "", "negative counts from the end"),
            attribute("mode", STRING, "", "`fast`, `wrap`, `clip` or `nan`"),
            output(ALL, "shape of `x` with that of `indices` in place of `axis`", "").like("x")),
        Aliasing.FORBIDDEN,
        "Takes slices of `x` along `axis`; rows of an embedding, for example. Mode `wrap` takes"
            + " indices modulo the extent, `clip` brings them into 0 to `n - 1`, `nan` gives NaN"
            + " for those out of that range (floats only). For `fast`:"
            + RANGE);
  }

  private static KernelSignature gatherElements() {
    return new KernelSignature(
        "relaxvm.gather_elements",
        1,
        List.of(
            input("x", ALL, "[...]", "rank 1 or more"),
            input("indices", INDICES, "[...]", "extents as `x` or smaller but for `axis`"),
            attribute("axis", INT, "", "negative counts from the end"),
            output(ALL, "shape of `indices`", "").like("x")),
        Aliasing.FORBIDDEN,
        "The element of `out` at an index is that of `x` at the same index, but for `axis`, along"
            + " which `indices` at this index counts."
            + RANGE);
  }

  private static KernelSignature gatherNd() {
    return new KernelSignature(
        "relaxvm.gather_nd",
        1,
        List.of(
            input("x", ALL, "[b..., n1, ..., nl, rest...]", ""),
            input("indices", INDICES, "[b..., m..., l]", "rank 1 or more"),
            attribute("batch_dims", INT, "", "how many axes `b...` are; at least 0"),
            output(ALL, "[b..., m..., rest...]", "").like("x")),
        Aliasing.FORBIDDEN,
        "Each line of `l` indices names a slice of `x`, in the same batch." + RANGE);
  }

  private static KernelSignature scatterElements() {
    return new KernelSignature(
        "relaxvm.scatter_elements",
        1,
        List.of(
            input("x", ALL, "[...]", "rank 1 or more"),
            input("indices", INDICES, "[...]", "extents as `x` or smaller but for `axis`"),
            input("updates", ALL, "shape of `indices`", "").like("x"),
            attribute("axis", INT, "", "negative counts from the end"),
            reduction(),
            output(ALL, "shape of `x`", "").like("x")),
        Aliasing.FORBIDDEN,
        "A copy of `x` in which each update replaces the element at its own index, but for `axis`,"
            + " along which the index counts."
            + REDUCTION
            + RANGE);
  }

  private static KernelSignature scatterNd() {
    return new KernelSignature(
        "relaxvm.scatter_nd",
        1,
        List.of(
            input("x", ALL, "[n1, ..., nl, rest...]", ""),
            input("indices", INDICES, "[m..., l]", "rank 1 or more"),
            input("updates", ALL, "[m..., rest...]", "").like("x"),
            reduction(),
            output(ALL, "shape of `x`", "").like("x")),
        Aliasing.FORBIDDEN,
        "A copy of `x` in which updates replace the slices that lines of `l` indices name."
            + REDUCTION
            + RANGE);
  }

  private static KernelArgument reduction() {
    return attribute("reduction", STRING, "", "`update`, `add`, `mul`, `mean`, `max` or `min`");
  }

  private static KernelSignature oneHot() {
    return new KernelSignature(
        "relaxvm.one_hot",
        1,
        List.of(
            input("indices", INDICES, "[...]", ""),
            attribute(
                "on_value", NUMBER, "", "converted to the dtype of `out` as by `relaxvm.cast`"),
            attribute("off_value", NUMBER, "", "likewise"),
            attribute("axis", INT, "", "that of the depth in `out`; negative counts from the end"),
            output(ALL, "shape of `indices` with the depth at `axis`", "")),
        Aliasing.FORBIDDEN,
        "`on_value` where the position along `axis` equals the index, else `off_value`; so an index"
            + " that is negative or not below the depth has no `on_value`.");
  }
}
