package org.relaxvm.api.kernels;

import static org.relaxvm.api.kernels.ArgumentRole.INT;
import static org.relaxvm.api.kernels.ArgumentRole.NUMBER;
import static org.relaxvm.api.kernels.ArgumentRole.OPTIONAL_INT;
import static org.relaxvm.api.kernels.ArgumentRole.OPTIONAL_SHAPE;
import static org.relaxvm.api.kernels.ArgumentRole.SHAPE;
import static org.relaxvm.api.kernels.ArgumentRole.STRING;
import static org.relaxvm.api.kernels.DTypeSet.ALL;
import static org.relaxvm.api.kernels.KernelArgument.attribute;
import static org.relaxvm.api.kernels.KernelArgument.input;
import static org.relaxvm.api.kernels.KernelArgument.output;

import java.util.List;

/** Table rows: kernels that slice, repeat, reverse and pad elements. */
final class LayoutKernels {
  private LayoutKernels() {}

  static List<KernelSignature> signatures() {
    return List.of(
        stridedSlice(),
        tile(),
        repeat(),
        flip(),
        pad(),
        triangle("tril", "Lower", "`j <= i + k`"),
        triangle("triu", "Upper", "`j >= i + k`"));
  }

  private static KernelSignature stridedSlice() {
    return new KernelSignature(
        "relaxvm.strided_slice",
        1,
        List.of(
            input("x", ALL, "[...]", ""),
            attribute("axes", SHAPE, "[n]", "distinct axes, negative ones count from the end"),
            attribute("begin", SHAPE, "[n]", "the first index along each of `axes`"),
            attribute("end", SHAPE, "[n]", "the index after the last one"),
            attribute("strides", OPTIONAL_SHAPE, "[n]", "not 0; null means 1"),
            output(ALL, "`x` with the sliced extents", "").like("x")),
        Aliasing.FORBIDDEN,
        "Takes the indices `begin`, `begin + stride`, ... before `end` of each of `axes`, all of"
            + " the others. The extent `n` of the axis is added to a negative `begin` or `end`;"
            + " then both are brought into 0 to `n` for a positive stride, into -1 to `n - 1` for a"
            + " negative one. The extent of `out` is `ceil((end - begin) / stride)`, at least 0."
            + " Each part of a split is one slice.");
  }

  private static KernelSignature tile() {
    return new KernelSignature(
        "relaxvm.tile",
        1,
        List.of(
            input("x", ALL, "[...]", ""),
            attribute("repeats", SHAPE, "[n]", "at least 0"),
            output(ALL, "extents of `x` times `repeats`", "").like("x")),
        Aliasing.FORBIDDEN,
        "Repeats the whole of `x`, `repeats[i]` times along axis `i`. The shorter one of `repeats`"
            + " and the shape of `x` gets leading ones.");
  }

  private static KernelSignature repeat() {
    return new KernelSignature(
        "relaxvm.repeat",
        1,
        List.of(
            input("x", ALL, "[...]", ""),
            attribute("repeats", INT, "", "at least 0"),
            attribute("axis", OPTIONAL_INT, "", "negative counts from the end; null flattens `x`"),
            output(ALL, "shape of `x` with `repeats` times the extent along `axis`", "").like("x")),
        Aliasing.FORBIDDEN,
        "Repeats each element `repeats` times, one after the other along `axis`. When that is null"
            + " `out` has rank 1 and the elements come in row-major order.");
  }

  private static KernelSignature flip() {
    return new KernelSignature(
        "relaxvm.flip",
        1,
        List.of(
            input("x", ALL, "[...]", "rank 1 or more"),
            attribute("axis", INT, "", "negative counts from the end"),
            output(ALL, "shape of `x`", "").like("x")),
        Aliasing.FORBIDDEN,
        "Reverses the order along an axis.");
  }

  private static KernelSignature pad() {
    return new KernelSignature(
        "relaxvm.pad",
        1,
        List.of(
            input("x", ALL, "[...]", ""),
            attribute(
                "pad_width", SHAPE, "[2 * rank of `x`]", "before and after each axis; at least 0"),
            attribute("pad_mode", STRING, "", "`constant`, `reflect`, `replicate` or `circular`"),
            attribute("pad_value", NUMBER, "", "for `constant`; converted as by `relaxvm.full`"),
            output(ALL, "padded shape of `x`", "").like("x")),
        Aliasing.FORBIDDEN,
        "Surrounds `x` with the value, with its mirror image without the edge (`reflect`, less"
            + " than the extent), with its edge (`replicate`), or with its other end (`circular`,"
            + " at most the extent).");
  }

  private static KernelSignature triangle(String name, String which, String condition) {
    return new KernelSignature(
        "relaxvm." + name,
        1,
        List.of(
            input("x", ALL, "[..., m, n]", ""),
            attribute("k", INT, "", "the diagonal; positive ones lie to the right"),
            output(ALL, "shape of `x`", "").like("x")),
        Aliasing.FORBIDDEN,
        which
            + " triangle: keeps the element in row `i` and column `j` of each matrix where "
            + condition
            + ", the others are 0.");
  }
}
