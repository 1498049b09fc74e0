package org.relaxvm.api.kernels;

import static org.relaxvm.api.kernels.ArgumentRole.BOOL;
import static org.relaxvm.api.kernels.ArgumentRole.INT;
import static org.relaxvm.api.kernels.ArgumentRole.SHAPE;
import static org.relaxvm.api.kernels.ArgumentRole.STRING;
import static org.relaxvm.api.kernels.DTypeSet.BYTES;
import static org.relaxvm.api.kernels.DTypeSet.FLOATS;
import static org.relaxvm.api.kernels.DTypeSet.INT32;
import static org.relaxvm.api.kernels.DTypeSet.NUMBERS;
import static org.relaxvm.api.kernels.KernelArgument.attribute;
import static org.relaxvm.api.kernels.KernelArgument.input;
import static org.relaxvm.api.kernels.KernelArgument.output;

import java.util.ArrayList;
import java.util.List;

/** Table rows: matrix product, convolutions, pooling, softmax. */
final class NeuralKernels {
  private static final String ACTIVATIONS = "`none`, `relu`, `gelu`, `silu`, `sigmoid` or `tanh`";

  private NeuralKernels() {}

  static List<KernelSignature> signatures() {
    return List.of(
        matmul(),
        withResidual(matmul()),
        matmulInteger(),
        conv2d(),
        withResidual(conv2d()),
        conv2dTranspose(),
        maxPool2d(),
        avgPool2d(),
        softmax("softmax", "`exp(x - m) / sum(exp(x - m))`"),
        softmax("log_softmax", "`x - m - log(sum(exp(x - m)))`"));
  }

  private static KernelSignature matmul() {
    return new KernelSignature(
        "relaxvm.matmul",
        1,
        List.of(
            input("a", NUMBERS, "[..., m, k]", "`[..., k, m]` when `transpose_a`"),
            input("b", NUMBERS, "[..., k, n]", "`[..., n, k]` when `transpose_b`").like("a"),
            input("bias", NUMBERS, "broadcast to `out`", "added to the product")
                .like("a")
                .optional(),
            attribute("transpose_a", BOOL, "", "swaps the last two axes of `a`"),
            attribute("transpose_b", BOOL, "", "swaps the last two axes of `b`"),
            attribute("activation", STRING, "", ACTIVATIONS + "; integers: `none` or `relu`"),
            output(NUMBERS, "[..., m, n]", "").like("a")),
        Aliasing.FORBIDDEN,
        "Matrix product `activation(a @ b + bias)`. `a` and `b` have rank 2 or more; the leading"
            + " axes broadcast against each other and are the leading axes of `out`. float16 and"
            + " bfloat16 accumulate in float32; integers wrap around. `k` may be 0: the product is"
            + " then 0. The order of summation is not specified.");
  }

  /** The kernel that adds a tensor like its output too, as the last part of a residual block. */
  private static KernelSignature withResidual(KernelSignature plain) {
    List<KernelArgument> arguments = new ArrayList<>(plain.arguments());
    int position = plain.indexOf("bias") + 1;
    arguments.add(
        position,
        input("residual", NUMBERS, "shape of `out`", "added before the activation")
            .like(arguments.getFirst().name()));
    return new KernelSignature(
        plain.name() + "_residual",
        1,
        arguments,
        Aliasing.FORBIDDEN,
        "`"
            + plain.name()
            + "` with one more summand: the activation of product, `bias` and `residual`. The order"
            + " of summation is not specified. All else is as for `"
            + plain.name()
            + "`.");
  }

  private static KernelSignature matmulInteger() {
    return new KernelSignature(
        "relaxvm.matmul_integer",
        1,
        List.of(
            input("a", BYTES, "[..., m, k]", "`[..., k, m]` when `transpose_a`"),
            input("b", BYTES, "[..., k, n]", "`[..., n, k]` when `transpose_b`"),
            attribute("transpose_a", BOOL, "", "swaps the last two axes of `a`"),
            attribute("transpose_b", BOOL, "", "swaps the last two axes of `b`"),
            output(INT32, "[..., m, n]", "")),
        Aliasing.FORBIDDEN,
        "Matrix product `a @ b` of integers of 8 bits, of which one may be signed and the other"
            + " not, with shapes as for `relaxvm.matmul`. Exact in 32 bits, where sums wrap"
            + " around.");
  }

  private static KernelSignature conv2d() {
    return new KernelSignature(
        "relaxvm.conv2d",
        1,
        List.of(
            input("data", NUMBERS, "[n, c, h, w]", ""),
            input("weight", NUMBERS, "[o, c / groups, kh, kw]", "").like("data"),
            input("bias", NUMBERS, "[o]", "added to each output channel").like("data").optional(),
            attribute("strides", SHAPE, "[2]", "vertical, horizontal; at least 1"),
            attribute("padding", SHAPE, "[4]", "zeros added at top, left, bottom, right"),
            attribute("dilation", SHAPE, "[2]", "vertical, horizontal; at least 1"),
            attribute("groups", INT, "", "divides `c` and `o`; at least 1"),
            attribute("activation", STRING, "", ACTIVATIONS + "; integers: `none` or `relu`"),
            output(NUMBERS, "[n, o, oh, ow]", "").like("data")),
        Aliasing.FORBIDDEN,
        "Cross-correlation `activation(conv(data, weight) + bias)`, layouts NCHW and OIHW."
            + " `oh = (h + top + bottom - (kh - 1) * dilation[0] - 1) / strides[0] + 1`, rounded"
            + " down, and `ow` likewise. Output channel `i` reads the input channels of group"
            + " `i / (o / groups)`. float16 and bfloat16 accumulate in float32; integers wrap"
            + " around.");
  }

  private static KernelSignature conv2dTranspose() {
    return new KernelSignature(
        "relaxvm.conv2d_transpose",
        1,
        List.of(
            input("data", NUMBERS, "[n, c, h, w]", ""),
            input("weight", NUMBERS, "[c, o / groups, kh, kw]", "").like("data"),
            input("bias", NUMBERS, "[o]", "added to each output channel").like("data").optional(),
            attribute("strides", SHAPE, "[2]", "vertical, horizontal; at least 1"),
            attribute(
                "padding", SHAPE, "[4]", "rows and columns cut off at top, left, bottom, right"),
            attribute(
                "output_padding", SHAPE, "[2]", "rows and columns more; less than the strides"),
            attribute("dilation", SHAPE, "[2]", "vertical, horizontal; at least 1"),
            attribute("groups", INT, "", "divides `c`; at least 1"),
            attribute("activation", STRING, "", ACTIVATIONS + "; integers: `none` or `relu`"),
            output(NUMBERS, "[n, o, oh, ow]", "").like("data")),
        Aliasing.FORBIDDEN,
        "Transposed convolution, `activation(sum + bias)`, layouts NCHW and IOHW: what"
            + " `relaxvm.conv2d` reads at a position, this adds to it. Element `(y, x)` of an input"
            + " channel times element `(ky, kx)` of the window is added to row `y * strides[0] + ky"
            + " * dilation[0] - top` and column `x * strides[1] + kx * dilation[1] - left` of the"
            + " output, where there is such a position. `oh = (h - 1) * strides[0] - top - bottom +"
            + " dilation[0] * (kh - 1) + output_padding[0] + 1`, or 0 where that is negative, and"
            + " `ow` likewise. Input channel `i` goes to the output channels of group `i / (c /"
            + " groups)`. float16 and bfloat16 accumulate in float32; integers wrap around.");
  }

  private static KernelSignature maxPool2d() {
    return new KernelSignature(
        "relaxvm.max_pool2d",
        1,
        List.of(
            input("x", NUMBERS, "[n, c, h, w]", ""),
            attribute("pool_size", SHAPE, "[2]", "height and width of the window; at least 1"),
            attribute("strides", SHAPE, "[2]", "vertical, horizontal; at least 1"),
            attribute("padding", SHAPE, "[4]", "top, left, bottom, right"),
            attribute("dilation", SHAPE, "[2]", "vertical, horizontal; at least 1"),
            attribute("ceil_mode", BOOL, "", "rounds the extents of `out` up instead of down"),
            output(NUMBERS, "[n, c, oh, ow]", "").like("x")),
        Aliasing.FORBIDDEN,
        "Largest element of each window; padding never wins, NaN does. A window that lies in the"
            + " padding altogether gives the smallest value of the dtype (-inf for floats)."
            + " Extents as for `relaxvm.conv2d`.");
  }

  private static KernelSignature avgPool2d() {
    return new KernelSignature(
        "relaxvm.avg_pool2d",
        1,
        List.of(
            input("x", FLOATS, "[n, c, h, w]", ""),
            attribute("pool_size", SHAPE, "[2]", "height and width of the window; at least 1"),
            attribute("strides", SHAPE, "[2]", "vertical, horizontal; at least 1"),
            attribute("padding", SHAPE, "[4]", "top, left, bottom, right"),
            attribute("dilation", SHAPE, "[2]", "vertical, horizontal; at least 1"),
            attribute("ceil_mode", BOOL, "", "rounds the extents of `out` up instead of down"),
            attribute("count_include_pad", BOOL, "", "divides by the whole window"),
            output(FLOATS, "[n, c, oh, ow]", "").like("x")),
        Aliasing.FORBIDDEN,
        "Mean of each window. The sum is divided by the window's size when `count_include_pad`,"
            + " else by the number of its elements that lie in `x`, or by 1 when there are none."
            + " Extents as for `relaxvm.conv2d`.");
  }

  private static KernelSignature softmax(String name, String formula) {
    return new KernelSignature(
        "relaxvm." + name,
        1,
        List.of(
            input("x", FLOATS, "[...]", "rank 1 or more"),
            attribute("axis", INT, "", "negative counts from the end"),
            output(FLOATS, "shape of `x`", "").like("x")),
        Aliasing.SAME_ELEMENTS,
        formula + " along `axis`, with `m` the largest element of the line.");
  }
}
