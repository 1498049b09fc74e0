package org.relaxvm.compiler.op.nn;

import java.util.List;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.Legalizer;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.SpatialLayout;
import org.relaxvm.tir.op.ConvOps;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Convolutions of data {@code [n, c, ...]} with weights {@code [o, c / groups, ...]}, and
 * transposed ones with weights {@code [c, o / groups, ...]}; one to three spatial axes. Of numbers,
 * whose sums are computed in the dtype of the result, of float16 and bfloat16 in float32.
 *
 * <p>Source: docs/spec/op-set.md, sections 2.8 and 3.5.
 */
public final class Convolutions {
  /** {@code [n, c, w]}. */
  public static final OpDef CONV1D = conv(1);

  /** {@code [n, c, h, w]}. */
  public static final OpDef CONV2D = conv(2);

  /** {@code [n, c, d, h, w]}. */
  public static final OpDef CONV3D = conv(3);

  /** The transposed convolution of {@code [n, c, w]}. */
  public static final OpDef CONV1D_TRANSPOSE = transposed(1);

  /** The transposed convolution of {@code [n, c, h, w]}. */
  public static final OpDef CONV2D_TRANSPOSE = transposed(2);

  /** The transposed convolution of {@code [n, c, d, h, w]}. */
  public static final OpDef CONV3D_TRANSPOSE = transposed(3);

  private Convolutions() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(CONV1D, CONV2D, CONV3D, CONV1D_TRANSPOSE, CONV2D_TRANSPOSE, CONV3D_TRANSPOSE);
  }

  private static OpDef conv(int spatial) {
    return OpDef.named("nn.conv" + spatial + "d")
        .args("data", "weight")
        .attrs(
            AttrSpec.of("strides", Kind.INTEGERS, List.of(1)),
            AttrSpec.of("padding", Kind.INTEGERS, List.of(0)),
            AttrSpec.of("dilation", Kind.INTEGERS, List.of(1)))
        .with(builder -> common(builder, spatial, false))
        .build();
  }

  private static OpDef transposed(int spatial) {
    return OpDef.named("nn.conv" + spatial + "d_transpose")
        .args("data", "weight")
        .attrs(
            AttrSpec.of("strides", Kind.INTEGERS, List.of(1)),
            AttrSpec.of("padding", Kind.INTEGERS, List.of(0)),
            AttrSpec.of("output_padding", Kind.INTEGERS, List.of(0)),
            AttrSpec.of("dilation", Kind.INTEGERS, List.of(1)))
        .with(builder -> common(builder, spatial, true))
        .build();
  }

  private static OpDef.Builder common(OpDef.Builder builder, int spatial, boolean isTransposed) {
    return builder
        .attrs(
            AttrSpec.of("groups", Kind.INTEGER, 1),
            AttrSpec.of("data_layout", Kind.TEXT, SpatialLayout.data(spatial)),
            AttrSpec.of("kernel_layout", Kind.TEXT, ConvRule.kernelLetters(spatial, isTransposed)),
            AttrSpec.optional("out_layout", Kind.TEXT),
            AttrSpec.optional("out_dtype", Kind.DTYPE))
        .rule(call -> ConvRule.of(call, spatial, isTransposed).type())
        .legalizer(legalizer(spatial, isTransposed));
  }

  private static Legalizer legalizer(int spatial, boolean isTransposed) {
    String name = "conv" + spatial + "d" + (isTransposed ? "_transpose" : "");
    return (call, kernels) -> {
      ConvRule rule = ConvRule.of(call, spatial, isTransposed);
      return kernels.call(
          name,
          call,
          KernelBody.one(
              (k, inputs) -> {
                TensorExpr x = inputs.tensor(0);
                TensorExpr w = inputs.tensor(1);
                return OutLayout.moved(
                    k,
                    name,
                    rule.data(),
                    rule.out(),
                    inner ->
                        isTransposed
                            ? ConvOps.convTranspose(k, inner, x, w, rule.attrs())
                            : ConvOps.conv(k, inner, x, w, rule.attrs()));
              }));
    };
  }

  /**
   * A convolution.
   *
   * @param spatial the number of spatial axes, one to three
   */
  public static Call conv(Expr data, Expr weight, int spatial, ConvOptions options) {
    OpDef op = List.of(CONV1D, CONV2D, CONV3D).get(spatial - 1);
    return call(op, spatial, false, data, weight, options);
  }

  /**
   * A transposed convolution.
   *
   * @param spatial the number of spatial axes, one to three
   */
  public static Call convTranspose(Expr data, Expr weight, int spatial, ConvOptions options) {
    OpDef op = List.of(CONV1D_TRANSPOSE, CONV2D_TRANSPOSE, CONV3D_TRANSPOSE).get(spatial - 1);
    return call(op, spatial, true, data, weight, options);
  }

  /** A convolution with one spatial axis. */
  public static Call conv1d(Expr data, Expr weight, ConvOptions options) {
    return call(CONV1D, 1, false, data, weight, options);
  }

  /** A convolution with two spatial axes. */
  public static Call conv2d(Expr data, Expr weight, ConvOptions options) {
    return call(CONV2D, 2, false, data, weight, options);
  }

  /** A convolution with three spatial axes. */
  public static Call conv3d(Expr data, Expr weight, ConvOptions options) {
    return call(CONV3D, 3, false, data, weight, options);
  }

  /** A transposed convolution with one spatial axis. */
  public static Call conv1dTranspose(Expr data, Expr weight, ConvOptions options) {
    return call(CONV1D_TRANSPOSE, 1, true, data, weight, options);
  }

  /** A transposed convolution with two spatial axes. */
  public static Call conv2dTranspose(Expr data, Expr weight, ConvOptions options) {
    return call(CONV2D_TRANSPOSE, 2, true, data, weight, options);
  }

  /** A transposed convolution with three spatial axes. */
  public static Call conv3dTranspose(Expr data, Expr weight, ConvOptions options) {
    return call(CONV3D_TRANSPOSE, 3, true, data, weight, options);
  }

  private static Call call(
      OpDef op, int spatial, boolean isTransposed, Expr data, Expr weight, ConvOptions options) {
    String layout = options.dataLayout().orElse(SpatialLayout.data(spatial));
    Attrs attrs =
        Attrs.of("strides", WindowAttrs.perAxis(options.strides(), spatial))
            .with("padding", WindowAttrs.padding(options.padding(), spatial));
    if (isTransposed) {
      attrs = attrs.with("output_padding", WindowAttrs.perAxis(options.outputPadding(), spatial));
    }
    attrs =
        attrs
            .with("dilation", WindowAttrs.perAxis(options.dilation(), spatial))
            .with("groups", options.groups())
            .with("data_layout", layout)
            .with(
                "kernel_layout",
                options.kernelLayout().orElse(ConvRule.kernelLetters(spatial, isTransposed)))
            .with("out_layout", options.outLayout().orElse(layout));
    if (options.outDType().isPresent()) {
      attrs = attrs.with("out_dtype", options.outDType().get());
    }
    return Call.of(op, List.of(data, weight), attrs);
  }
}
