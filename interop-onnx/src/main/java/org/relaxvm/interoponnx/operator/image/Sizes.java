package org.relaxvm.interoponnx.operator.image;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.RuntimeNumbers;
import org.relaxvm.interoponnx.operator.image.Resizes.Scales;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * The extents that axes are resized to, and by what coordinates are scaled.
 *
 * @param axes from 0
 * @param extents of the result, one for each axis
 */
record Sizes(List<Integer> axes, List<PrimExpr> extents, Scales scales) {
  /** Rational scales that symbolic extents are multiplied by have this denominator. */
  private static final long DENOMINATOR = 1L << 30;

  /** Scales with a denominator of at most this are exact. */
  private static final long EXACT = 1 << 10;

  private static List<PrimExpr> own(NodeContext node, List<Integer> axes) {
    List<PrimExpr> dims = node.dims(node.tensor(0));
    return axes.stream().map(dims::get).toList();
  }

  /** Extents times scales, rounded down. */
  static Sizes scaled(NodeContext node, List<Integer> axes, Scales scales) {
    List<PrimExpr> own = own(node, axes);
    if (scales.known().isPresent()) {
      List<Double> known = scales.known().get();
      requireCount(node, "scales", known.size(), axes.size());
      List<PrimExpr> extents = new ArrayList<>();
      for (int i = 0; i < axes.size(); i++) {
        requirePositive(node, known.get(i));
        extents.add(node.analyzer().simplify(scaled(own.get(i), known.get(i))));
      }
      return new Sizes(axes, extents, scales);
    }
    Expr factors = scales.computed().orElseThrow();
    requireCount(node, "scales", RuntimeNumbers.count(node, factors), axes.size());
    Expr products = node.emit(Ops.multiply(floats(node, own), factors));
    Expr whole = node.emit(Ops.astype(node.emit(Functions.floor(products)), DType.INT64));
    return new Sizes(axes, RuntimeNumbers.symbols(node, whole, axes.size()), scales);
  }

  private static void requireCount(NodeContext node, String what, int got, int expected) {
    if (got != expected) {
      throw node.unsupported("it has " + got + " " + what + " for " + expected + " axes", "");
    }
  }

  private static void requirePositive(NodeContext node, double scale) {
    if (!(scale > 0) || Double.isInfinite(scale)) {
      throw node.unsupported("a scale is " + scale + "; expected a number above 0", "");
    }
  }

  /** Numbers are multiplied in float32, as runtimes do; symbols by a quotient just as large. */
  private static PrimExpr scaled(PrimExpr extent, double scale) {
    if (extent instanceof IntImm number) {
      return IntImm.of((long) Math.floor((float) scale * (float) number.value()));
    }
    for (long denominator = 1; denominator <= EXACT; denominator *= 2) {
      double numerator = scale * denominator;
      if (numerator == Math.rint(numerator)) {
        return Exprs.floorDiv(Exprs.mul(extent, (long) numerator), denominator);
      }
    }
    long numerator = Math.round(scale * (1 + Math.ulp(1f)) * DENOMINATOR);
    return Exprs.floorDiv(Exprs.mul(extent, numerator), DENOMINATOR);
  }

  private static Expr floats(NodeContext node, List<PrimExpr> extents) {
    Expr vector = node.emit(Call.of(ValueOps.SHAPE_TO_TENSOR, new ShapeExpr(extents)));
    return node.emit(Ops.astype(vector, DType.FLOAT32));
  }

  /** Extents of the fourth input, which the largest or smallest scale of all axes may adapt. */
  static Sizes given(NodeContext node, List<Integer> axes, String policy) {
    List<PrimExpr> own = own(node, axes);
    List<PrimExpr> wanted = node.extents(3);
    requireCount(node, "sizes", wanted.size(), axes.size());
    return switch (policy) {
      case "stretch" -> new Sizes(axes, wanted, Scales.NONE);
      case "not_larger", "not_smaller" ->
          proportional(node, axes, own, wanted, policy.equals("not_larger"));
      default ->
          throw node.unsupported(
              "there is no keep_aspect_ratio_policy '"
                  + policy
                  + "'; expected stretch, not_larger or not_smaller",
              "");
    };
  }

  private static Sizes proportional(
      NodeContext node,
      List<Integer> axes,
      List<PrimExpr> own,
      List<PrimExpr> wanted,
      boolean smallest) {
    List<PrimExpr> extents = new ArrayList<>();
    for (PrimExpr extent : own) {
      PrimExpr chosen = null;
      for (int i = 0; i < axes.size(); i++) {
        // Rounds extent * wanted / own to the nearest integer, halves up.
        PrimExpr twice = Exprs.mul(Exprs.mul(extent, wanted.get(i)), 2);
        PrimExpr each = Exprs.floorDiv(Exprs.add(twice, own.get(i)), Exprs.mul(own.get(i), 2));
        chosen =
            chosen == null ? each : smallest ? Exprs.min(chosen, each) : Exprs.max(chosen, each);
      }
      extents.add(node.analyzer().simplify(chosen == null ? extent : chosen));
    }
    return new Sizes(axes, extents, commonScale(node, own, wanted, smallest));
  }

  private static Scales commonScale(
      NodeContext node, List<PrimExpr> own, List<PrimExpr> wanted, boolean smallest) {
    boolean isKnown =
        own.stream().allMatch(IntImm.class::isInstance)
            && wanted.stream().allMatch(IntImm.class::isInstance);
    if (isKnown) {
      double[] scales =
          IntStream.range(0, own.size())
              .mapToDouble(
                  i -> (double) ((IntImm) wanted.get(i)).value() / ((IntImm) own.get(i)).value())
              .sorted()
              .toArray();
      double scale = scales[smallest ? 0 : scales.length - 1];
      return new Scales(Optional.of(own.stream().map(extent -> scale).toList()), Optional.empty());
    }
    Expr each = node.emit(Ops.divide(floats(node, wanted), floats(node, own)));
    Expr common =
        node.emit(
            smallest
                ? Reductions.min(each, List.of(0), true)
                : Reductions.max(each, List.of(0), true));
    return new Scales(
        Optional.empty(), Optional.of(node.emit(Ops.broadcastTo(common, own.size()))));
  }

  /** Without the axes that surely stay as they are. */
  Sizes withoutUnchanged(NodeContext node) {
    if (scales.computed().isPresent()) {
      return this;
    }
    List<PrimExpr> own = own(node, axes);
    List<Integer> changed =
        IntStream.range(0, axes.size())
            .filter(
                i ->
                    scales.known().map(list -> list.get(i) != 1).orElse(false)
                        || !node.analyzer().canProveEqual(own.get(i), extents.get(i)))
            .boxed()
            .toList();
    return new Sizes(
        changed.stream().map(axes::get).toList(),
        changed.stream().map(extents::get).toList(),
        scales.only(changed));
  }
}
