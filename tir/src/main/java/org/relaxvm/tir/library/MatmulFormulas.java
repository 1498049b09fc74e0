package org.relaxvm.tir.library;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.ConvAttrs;
import org.relaxvm.tir.op.ConvOps;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.te.TensorExpr;

/** Matmuls and convolutions. */
final class MatmulFormulas {
  private static final String ACCUMULATORS = "sums";

  private MatmulFormulas() {}

  static void addTo(Map<String, Formula> all) {
    // A sum of known length needs no launch of its own to start with.
    all.put("matmul", Formula.of(o -> matmul(o, false)).preferring(MatmulFormulas::inner));
    all.put("matmul_residual", Formula.of(o -> matmul(o, true)).preferring(MatmulFormulas::inner));
    all.put(
        "matmul_integer",
        Formula.of(MatmulFormulas::matmulInteger).preferring(MatmulFormulas::inner));
    all.put("conv2d", Formula.of(o -> conv(o, false)).knowing(MatmulFormulas::channels));
    all.put("conv2d_residual", Formula.of(o -> conv(o, true)).knowing(MatmulFormulas::channels));
    all.put(
        "conv2d_transpose",
        Formula.of(MatmulFormulas::convTranspose).knowing(MatmulFormulas::channels));
  }

  private static List<Long> inner(LibraryCall call) {
    boolean transposed = Boolean.TRUE.equals(call.attribute("transpose_a"));
    return List.of(call.extent("a", transposed ? -2 : -1));
  }

  private static List<Long> channels(LibraryCall call) {
    List<Long> known = new ArrayList<>(call.extents("weight"));
    known.add(call.extent("data", 1));
    return known;
  }

  private static TensorExpr matmul(Operands o, boolean withResidual) {
    TensorExpr a = matrix(o, "a", "transpose_a");
    TensorExpr b = matrix(o, "b", "transpose_b");
    TensorExpr bias = o.optional("bias");
    TensorExpr residual = withResidual ? o.tensor("residual") : null;
    EpilogueFormula epilogue =
        new EpilogueFormula(
            bias == null ? null : i -> Stretch.at(bias, i),
            residual,
            EpilogueFormula.activation(o));
    if (epilogue.isNone()) {
      return LinearOps.matmul(o.kernel(), Operands.OUT, a, b, null);
    }
    DType wide = EpilogueFormula.wide(o.outDType());
    TensorExpr accumulators = LinearOps.matmul(o.kernel(), ACCUMULATORS, a, b, wide);
    o.require(
        bias == null || Stretch.fits(bias, accumulators.shape()),
        "bias",
        "a shape that broadcasts to " + o.shapeOf(Operands.OUT),
        bias == null ? "null" : "shape " + o.shapeOf("bias"));
    requireResidual(o, residual);
    return epilogue.output(o, accumulators);
  }

  private static void requireResidual(Operands o, @Nullable TensorExpr residual) {
    if (residual != null) {
      o.requireShape("residual", o.shapeOf(Operands.OUT));
    }
  }

  private static TensorExpr matmulInteger(Operands o) {
    TensorExpr a = matrix(o, "a", "transpose_a");
    TensorExpr b = matrix(o, "b", "transpose_b");
    return LinearOps.matmul(o.kernel(), Operands.OUT, a, b, DType.INT32);
  }

  /** A matrix, or its transpose. */
  private static TensorExpr matrix(Operands o, String name, String transpose) {
    o.requireRank(name, 2);
    TensorExpr x = o.tensor(name);
    return o.flag(transpose)
        ? o.kernel().inlined(name + "_turned", transposed(x.shape()), i -> x.at(transposed(i)))
        : x;
  }

  private static List<PrimExpr> transposed(List<PrimExpr> list) {
    List<PrimExpr> transposed = new ArrayList<>(list);
    transposed.add(transposed.size() - 2, transposed.removeLast());
    return transposed;
  }

  private static TensorExpr conv(Operands o, boolean withResidual) {
    ConvAttrs attrs = attrs(o);
    TensorExpr data = o.tensor("data");
    TensorExpr weight = o.tensor("weight");
    EpilogueFormula epilogue = epilogue(o, withResidual, o.shapeOf("weight").dim(0));
    Shape image = o.shapeOf("data");
    Shape window = o.shapeOf("weight");
    o.require(
        image.dim(1) == window.dim(1) * attrs.groups(),
        "weight",
        "for " + attrs.groups() + " groups of " + image.dim(1) + " channels",
        "shape " + window);
    if (epilogue.isNone()) {
      return ConvOps.conv(o.kernel(), Operands.OUT, data, weight, attrs);
    }
    DType wide = EpilogueFormula.wide(o.outDType());
    return epilogue.output(
        o, ConvOps.conv(o.kernel(), ACCUMULATORS, data, weight, attrs.withOutDType(wide)));
  }

  private static TensorExpr convTranspose(Operands o) {
    List<Long> more = o.numbers("output_padding", 2, 0);
    ConvAttrs attrs = attrs(o).withLayouts("NCHW", "IOHW").withOutputPadding(more);
    TensorExpr data = o.tensor("data");
    TensorExpr weight = o.tensor("weight");
    EpilogueFormula epilogue = epilogue(o, false, o.shapeOf("weight").dim(1) * attrs.groups());
    if (epilogue.isNone()) {
      return ConvOps.convTranspose(o.kernel(), Operands.OUT, data, weight, attrs);
    }
    DType wide = EpilogueFormula.wide(o.outDType());
    return epilogue.output(
        o, ConvOps.convTranspose(o.kernel(), ACCUMULATORS, data, weight, attrs.withOutDType(wide)));
  }

  private static ConvAttrs attrs(Operands o) {
    for (String name : List.of("data", "weight")) {
      int rank = o.shapeOf(name).rank();
      o.require(rank == 4, name, "of rank 4", "of rank " + rank);
    }
    List<Long> strides = o.numbers("strides", 2, 1);
    List<Long> padding = o.numbers("padding", 4, 0);
    List<Long> dilation = o.numbers("dilation", 2, 1);
    return ConvAttrs.plain(2).with(strides, padding, dilation, o.count("groups", 1));
  }

  private static EpilogueFormula epilogue(Operands o, boolean withResidual, long channels) {
    TensorExpr bias = o.optional("bias");
    if (bias != null) {
      o.requireShape("bias", Shape.of(channels));
    }
    TensorExpr residual = withResidual ? o.tensor("residual") : null;
    requireResidual(o, residual);
    return new EpilogueFormula(
        bias == null ? null : i -> bias.at(i.get(1)), residual, EpilogueFormula.activation(o));
  }
}
