package org.relaxvm.api.kernels;

import static org.relaxvm.api.kernels.ArgumentRole.BOOL;
import static org.relaxvm.api.kernels.ArgumentRole.INT;
import static org.relaxvm.api.kernels.ArgumentRole.OPTIONAL_INT;
import static org.relaxvm.api.kernels.DTypeSet.INDICES;
import static org.relaxvm.api.kernels.DTypeSet.NUMBERS;
import static org.relaxvm.api.kernels.KernelArgument.attribute;
import static org.relaxvm.api.kernels.KernelArgument.input;
import static org.relaxvm.api.kernels.KernelArgument.output;

import java.util.List;

/**
 * Table rows: kernels that compare or add up elements along a line.
 *
 * <p>Rationale: docs/rationale/api.md, "How are NaNs ordered?"
 */
final class OrderingKernels {
  private static final String ORDER =
      " The order of numbers, in which NaN is larger than all of them and -0 equals 0; of equal"
          + " elements the one with the smaller index comes first.";

  private OrderingKernels() {}

  static List<KernelSignature> signatures() {
    return List.of(
        sort("sort", output(NUMBERS, "shape of `x`", "").like("x"), "Sorts along an axis."),
        sort(
            "argsort",
            output(INDICES, "shape of `x`", ""),
            "The indices along an axis of the elements in sorted order."),
        topk(
            "topk",
            output(NUMBERS, "`x` with `k` in place of the extent of `axis`", "").like("x"),
            "The `k` largest elements along an axis, the largest one first, or the smallest ones,"
                + " the smallest one first. With their indices too: `relaxvm.topk_indices`, then"
                + " `relaxvm.gather_elements`."),
        topk(
            "topk_indices",
            output(INDICES, "`x` with `k` in place of the extent of `axis`", ""),
            "The indices along an axis of the elements of `relaxvm.topk`."),
        extreme("argmax", "largest", "NaN is larger than all numbers"),
        extreme("argmin", "smallest", "NaN is smaller than all numbers here"),
        scan("cumsum", "Sums of the elements up to each one."),
        scan("cumprod", "Products of the elements up to each one."));
  }

  private static KernelSignature sort(String name, KernelArgument out, String semantics) {
    return new KernelSignature(
        "relaxvm." + name,
        1,
        List.of(
            input("x", NUMBERS, "[...]", "rank 1 or more"),
            attribute("axis", INT, "", "negative counts from the end"),
            attribute("descending", BOOL, "", "the largest element first"),
            out),
        Aliasing.FORBIDDEN,
        semantics + ORDER);
  }

  private static KernelSignature topk(String name, KernelArgument out, String semantics) {
    return new KernelSignature(
        "relaxvm." + name,
        1,
        List.of(
            input("x", NUMBERS, "[...]", "rank 1 or more"),
            attribute("axis", INT, "", "negative counts from the end"),
            attribute("largest", BOOL, "", "whether the largest or the smallest ones"),
            out),
        Aliasing.FORBIDDEN,
        semantics + " `k` is at most the extent of `axis`." + ORDER);
  }

  private static KernelSignature extreme(String name, String which, String nan) {
    return new KernelSignature(
        "relaxvm." + name,
        1,
        List.of(
            input("x", NUMBERS, "[...]", ""),
            attribute(
                "axis", OPTIONAL_INT, "", "negative counts from the end; null means all of `x`"),
            attribute("keepdims", BOOL, "", "the reduced axes stay with extent 1"),
            output(INDICES, "`x` without the reduced axes", "")),
        Aliasing.FORBIDDEN,
        "The index along `axis` of the "
            + which
            + " element, or its number in row-major order of `x`. The first one of equals; "
            + nan
            + ". An error of nothing.");
  }

  private static KernelSignature scan(String name, String semantics) {
    return new KernelSignature(
        "relaxvm." + name,
        1,
        List.of(
            input("x", NUMBERS, "[...]", ""),
            attribute("axis", OPTIONAL_INT, "", "negative counts from the end; null flattens `x`"),
            attribute("exclusive", BOOL, "", "leaves each element itself out"),
            output(NUMBERS, "shape of `x`, or `[n]` when `axis` is null", "").like("x")),
        Aliasing.FORBIDDEN,
        semantics
            + " When `axis` is null the elements come in row-major order. Integers wrap around;"
            + " float16 and bfloat16 accumulate in float32 or wider.");
  }
}
