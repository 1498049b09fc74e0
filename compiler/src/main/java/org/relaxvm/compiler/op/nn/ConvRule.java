package org.relaxvm.compiler.op.nn;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.op.typerule.ResultDTypes;
import org.relaxvm.compiler.op.typerule.SpatialLayout;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.ConvAttrs;

/**
 * A call of a convolution with its attributes checked. Source: docs/spec/op-set.md, section 2.8.
 *
 * @param strides one per spatial axis
 * @param padding all begins, then all ends
 * @param dilation one per spatial axis
 * @param outputPadding one per spatial axis; 0 unless it is a transposed one
 */
record ConvRule(
    OpCall call,
    int spatial,
    boolean isTransposed,
    List<Long> strides,
    List<Long> padding,
    List<Long> dilation,
    List<Long> outputPadding,
    int groups,
    SpatialLayout data,
    SpatialLayout kernel,
    SpatialLayout out) {

  static ConvRule of(OpCall call, int spatial, boolean isTransposed) {
    List<Long> strides = WindowAttrs.perAxis(call, "strides", spatial, 1);
    List<Long> outputPadding =
        isTransposed
            ? WindowAttrs.perAxis(call, "output_padding", spatial, 0)
            : Collections.nCopies(spatial, 0L);
    for (int axis = 0; axis < spatial; axis++) {
      if (outputPadding.get(axis) >= strides.get(axis)) {
        throw call.error(
            "output_padding must be less than strides, but is "
                + outputPadding
                + ", and strides are "
                + strides);
      }
    }
    long groups = call.attrs().integer("groups").orElseThrow();
    if (groups < 1 || groups > Integer.MAX_VALUE) {
      throw call.error("groups must be from 1 to 2147483647, but is " + groups);
    }
    String plain = SpatialLayout.data(spatial);
    String letters = kernelLetters(spatial, isTransposed);
    SpatialLayout data = SpatialLayout.of(call, "data_layout", plain, plain);
    return new ConvRule(
        call,
        spatial,
        isTransposed,
        strides,
        WindowAttrs.padding(call, spatial, true),
        WindowAttrs.perAxis(call, "dilation", spatial, 1),
        outputPadding,
        (int) groups,
        data,
        SpatialLayout.of(call, "kernel_layout", letters, letters),
        SpatialLayout.of(call, "out_layout", data.text(), plain));
  }

  /** The letters of kernels in the plain order. */
  static String kernelLetters(int spatial, boolean isTransposed) {
    return (isTransposed ? "IO" : "OI") + SpatialLayout.spatialLetters(spatial);
  }

  TensorType type() {
    TensorType x = Ranks.require(call, 0, 2 + spatial);
    TensorType w = Ranks.require(call, 1, 2 + spatial);
    ElementTypes.numbers(call, 0);
    ElementTypes.numbers(call, 1);
    List<Operand> operands = Operand.all(call, 0, 1);
    Optional<DType> dtype = ResultDTypes.of(call, operands);
    TensorType result =
        TensorType.ofRank(dtype, 2 + spatial).withVDevice(CommonDevice.same(call, operands));
    if (x.dims().isEmpty() || w.dims().isEmpty()) {
      return result;
    }
    List<PrimExpr> in = data.plain(x.dims().get());
    List<PrimExpr> taps = kernel.plain(w.dims().get());
    List<PrimExpr> plain = new ArrayList<>(List.of(in.get(0), channels(in.get(1), taps)));
    for (int axis = 0; axis < spatial; axis++) {
      plain.add(isTransposed ? spread(in, taps, axis) : covered(in, taps, axis));
    }
    return result.withDims(Extents.simplify(call, out.own(plain)));
  }

  /** The channels of the result, when those of data and weight fit each other. */
  private PrimExpr channels(PrimExpr given, List<PrimExpr> taps) {
    PrimExpr taken = taps.get(isTransposed ? 0 : 1);
    PrimExpr expected = isTransposed ? taken : Exprs.mul(taken, groups);
    if (Extents.differ(call, given, expected)) {
      throw call.error(
          "data has "
              + text(given)
              + " channels, but weight takes "
              + text(expected)
              + (isTransposed || groups == 1 ? "" : ": " + text(taken) + " in each group"));
    }
    requireGroups(isTransposed ? given : taps.get(0), isTransposed ? "data" : "weight");
    return isTransposed ? Exprs.mul(taps.get(1), groups) : taps.get(0);
  }

  private void requireGroups(PrimExpr channels, String of) {
    if (channels instanceof IntImm known && known.value() % groups != 0) {
      throw call.error(
          "the "
              + known.value()
              + " channels of "
              + of
              + " cannot be divided into "
              + groups
              + " groups");
    }
  }

  private String text(PrimExpr extent) {
    return PrimText.print(call.analyzer().simplify(extent));
  }

  private PrimExpr covered(List<PrimExpr> in, List<PrimExpr> taps, int axis) {
    PrimExpr padded = Exprs.add(in.get(2 + axis), padding.get(axis) + padding.get(spatial + axis));
    PrimExpr span = WindowAttrs.span(taps.get(2 + axis), dilation.get(axis));
    return WindowAttrs.windowCount(call, padded, span, strides.get(axis));
  }

  private PrimExpr spread(List<PrimExpr> in, List<PrimExpr> taps, int axis) {
    PrimExpr steps = Exprs.mul(Exprs.sub(in.get(2 + axis), 1), strides.get(axis));
    PrimExpr span = WindowAttrs.span(taps.get(2 + axis), dilation.get(axis));
    long more = outputPadding.get(axis) - padding.get(axis) - padding.get(spatial + axis);
    return Exprs.max(Exprs.add(Exprs.add(steps, span), more), IntImm.of(0));
  }

  /** The attributes as kernels have them. */
  ConvAttrs attrs() {
    @Nullable DType outDType = ResultDTypes.given(call, "out_dtype").orElse(null);
    return new ConvAttrs(
        strides, padding, dilation, outputPadding, groups, data.text(), kernel.text(), outDType);
  }
}
