package org.relaxvm.interoponnx.operator.window;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.index.Slices;
import org.relaxvm.compiler.op.nn.Padding;
import org.relaxvm.compiler.op.nn.PoolOptions;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * How windows go over the spatial axes of a tensor, as attributes say. All lists have one element
 * for each spatial axis.
 *
 * @param before padding before an axis: a number, or an expression of a symbolic extent
 * @param after padding after an axis
 * @param most at least as much as padding that is no number, before or after an axis
 * @param ceilMode whether a last window may lie partly outside
 */
record Windows(
    List<Long> window,
    List<Long> strides,
    List<Long> dilation,
    List<PrimExpr> before,
    List<PrimExpr> after,
    List<Long> most,
    boolean ceilMode) {

  /**
   * The windows of a node over a tensor.
   *
   * @param dims all extents of the tensor
   * @param window the spatial extents of the kernel
   */
  static Windows of(NodeContext node, List<PrimExpr> dims, List<Long> window) {
    int spatial = window.size();
    List<Long> strides = positive(node, "strides", spatial);
    List<Long> dilation = positive(node, "dilations", spatial);
    String autoPad = node.attributes().string("auto_pad", "NOTSET");
    List<Long> pads =
        autoPad.equals("NOTSET") || autoPad.isEmpty()
            ? pads(node, spatial)
            : Collections.nCopies(2 * spatial, 0L);
    boolean isExplicit = autoPad.equals("NOTSET") || autoPad.isEmpty();
    Windows plain =
        new Windows(
            window,
            strides,
            dilation,
            imm(pads.subList(0, spatial)),
            imm(pads.subList(spatial, 2 * spatial)),
            Collections.nCopies(spatial, 0L),
            isExplicit && node.attributes().flag("ceil_mode", false));
    return switch (autoPad) {
      case "", "NOTSET", "VALID" -> plain;
      case "SAME_UPPER", "SAME_LOWER" ->
          plain.same(node, dims.subList(2, dims.size()), autoPad.equals("SAME_UPPER"));
      default ->
          throw node.unsupported(
              "auto_pad is '" + autoPad + "'; expected NOTSET, VALID, SAME_UPPER or SAME_LOWER",
              "");
    };
  }

  /** The spatial extents of a kernel that an attribute must say. */
  static List<Long> kernelShape(NodeContext node, int spatial) {
    List<Long> window =
        node.attributes()
            .integers("kernel_shape")
            .orElseThrow(() -> node.unsupported("the attribute 'kernel_shape' is missing", ""));
    return checked(node, "kernel_shape", window, spatial);
  }

  /** The number of spatial axes of a tensor with that many axes: one to three. */
  static int spatial(NodeContext node, int rank) {
    if (rank < 3 || rank > 5) {
      throw node.unsupported(
          "its input has " + rank + " axes; expected 3 to 5, of which the last 1 to 3 are spatial",
          "");
    }
    return rank - 2;
  }

  private static List<PrimExpr> imm(List<Long> numbers) {
    return numbers.stream().map(n -> (PrimExpr) IntImm.of(n)).toList();
  }

  private static List<Long> positive(NodeContext node, String attribute, int count) {
    return checked(
        node,
        attribute,
        node.attributes().integers(attribute).orElse(Collections.nCopies(count, 1L)),
        count);
  }

  private static List<Long> checked(
      NodeContext node, String attribute, List<Long> numbers, int count) {
    if (numbers.size() != count || numbers.stream().anyMatch(n -> n < 1)) {
      throw node.unsupported(
          attribute + " is " + numbers + "; expected " + count + " numbers of 1 or more", "");
    }
    return numbers;
  }

  private static List<Long> pads(NodeContext node, int spatial) {
    List<Long> pads =
        node.attributes().integers("pads").orElse(Collections.nCopies(2 * spatial, 0L));
    if (pads.size() != 2 * spatial) {
      throw node.unsupported("pads are " + pads + "; expected " + 2 * spatial + " numbers", "");
    }
    return pads;
  }

  /** From the first to after the last element of a window. */
  long span(int axis) {
    return (window.get(axis) - 1) * dilation.get(axis) + 1;
  }

  /** As many windows as there are strides in the extent, a begun one included. */
  private Windows same(NodeContext node, List<PrimExpr> dims, boolean moreAfter) {
    List<PrimExpr> less = new ArrayList<>();
    List<PrimExpr> more = new ArrayList<>();
    List<Long> bounds = new ArrayList<>();
    for (int axis = 0; axis < window.size(); axis++) {
      PrimExpr total = node.analyzer().simplify(total(dims.get(axis), axis));
      less.add(node.analyzer().simplify(Exprs.floorDiv(total, 2)));
      more.add(node.analyzer().simplify(Exprs.floorDiv(Exprs.add(total, 1), 2)));
      bounds.add(span(axis));
    }
    return new Windows(
        window, strides, dilation, moreAfter ? less : more, moreAfter ? more : less, bounds, false);
  }

  private PrimExpr total(PrimExpr extent, int axis) {
    long stride = strides.get(axis);
    if (stride == 1 || span(axis) == 1) {
      return IntImm.of(span(axis) - 1);
    }
    PrimExpr count = Exprs.ceilDiv(extent, IntImm.of(stride));
    PrimExpr covered = Exprs.add(Exprs.mul(Exprs.sub(count, 1), stride), span(axis));
    return Exprs.max(Exprs.sub(covered, extent), IntImm.of(0));
  }

  // ---------------------------------------------------------------- padding

  /** Whether operators take the padding as it is: numbers, of 0 or more unless they may cut. */
  boolean isConstant(boolean mayCut) {
    return IntStream.range(0, window.size())
        .allMatch(axis -> fits(before.get(axis), mayCut) && fits(after.get(axis), mayCut));
  }

  private static boolean fits(PrimExpr pad, boolean mayCut) {
    return pad instanceof IntImm number && (mayCut || number.value() >= 0);
  }

  /** The padding as numbers: all begins, then all ends. */
  List<Long> padding() {
    List<Long> numbers = new ArrayList<>();
    before.forEach(pad -> numbers.add(((IntImm) pad).value()));
    after.forEach(pad -> numbers.add(((IntImm) pad).value()));
    return numbers;
  }

  /** As options of pools, where padding is constant. */
  PoolOptions options() {
    PoolOptions options =
        PoolOptions.of(array(window))
            .withStrides(array(strides))
            .withDilation(array(dilation))
            .withPadding(array(padding()));
    return ceilMode ? options.withCeilMode() : options;
  }

  static long[] array(List<Long> numbers) {
    return numbers.stream().mapToLong(Long::longValue).toArray();
  }

  /** The same windows over a tensor that is padded already. */
  Windows withoutPadding() {
    List<PrimExpr> none = imm(Collections.nCopies(window.size(), 0L));
    return new Windows(window, strides, dilation, none, none, most, ceilMode);
  }

  /**
   * Windows at the same places, each of which lies in the padded tensor: the padding after it is as
   * large as {@code ceil_mode} needs.
   */
  Windows closed(NodeContext node, List<PrimExpr> dims) {
    if (!ceilMode) {
      return this;
    }
    List<PrimExpr> ends = new ArrayList<>();
    List<Long> bounds = new ArrayList<>();
    for (int axis = 0; axis < window.size(); axis++) {
      long stride = strides.get(axis);
      PrimExpr begin = Exprs.add(dims.get(2 + axis), before.get(axis));
      PrimExpr room = Exprs.sub(Exprs.add(begin, after.get(axis)), span(axis));
      PrimExpr most = Exprs.ceilDiv(room, IntImm.of(stride));
      // The last window must not start after the tensor.
      PrimExpr isBeyond = Exprs.binary(BinaryOp.GE, Exprs.mul(most, stride), begin);
      PrimExpr last = Exprs.sub(most, Exprs.select(isBeyond, IntImm.of(1), IntImm.of(0)));
      PrimExpr covered = Exprs.add(Exprs.mul(last, stride), span(axis));
      ends.add(node.analyzer().simplify(Exprs.sub(covered, begin)));
      bounds.add(bound(before.get(axis), axis) + bound(after.get(axis), axis) + stride);
    }
    return new Windows(window, strides, dilation, before, ends, bounds, false);
  }

  private long bound(PrimExpr pad, int axis) {
    return pad instanceof IntImm number ? Math.max(number.value(), 0) : most.get(axis);
  }

  /** The tensor with its padding. */
  Expr padded(NodeContext node, Expr x, double value) {
    if (isConstant(true)) {
      List<Long> widths = new ArrayList<>(List.of(0L, 0L, 0L, 0L));
      for (int axis = 0; axis < window.size(); axis++) {
        widths.add(((IntImm) before.get(axis)).value());
        widths.add(((IntImm) after.get(axis)).value());
      }
      return widths.stream().allMatch(width -> width == 0)
          ? x
          : node.emit(Padding.pad(x, widths, value));
    }
    return paddedSymbolically(node, x, value);
  }

  /** Padding that is wide enough in any case, of which a slice is taken. */
  private Expr paddedSymbolically(NodeContext node, Expr x, double value) {
    List<PrimExpr> dims = node.dims(x);
    List<Long> widths = new ArrayList<>(List.of(0L, 0L, 0L, 0L));
    List<PrimExpr> begins = new ArrayList<>();
    List<PrimExpr> ends = new ArrayList<>();
    List<Object> axes = new ArrayList<>();
    for (int axis = 0; axis < window.size(); axis++) {
      long first = bound(before.get(axis), axis);
      long last = bound(after.get(axis), axis);
      widths.addAll(List.of(first, last));
      axes.add(2L + axis);
      begins.add(node.analyzer().simplify(Exprs.sub(IntImm.of(first), before.get(axis))));
      PrimExpr end = Exprs.add(Exprs.add(dims.get(2 + axis), first), after.get(axis));
      ends.add(node.analyzer().simplify(end));
    }
    Expr wide = node.emit(Padding.pad(x, widths, value));
    return node.emit(
        Slices.stridedSlice(
            wide,
            Ops.shape(axes.toArray()),
            new ShapeExpr(begins),
            new ShapeExpr(ends),
            Ops.shape(Collections.nCopies(window.size(), (Object) 1L).toArray()),
            true));
  }
}
