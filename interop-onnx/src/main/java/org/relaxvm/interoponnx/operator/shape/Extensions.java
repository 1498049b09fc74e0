package org.relaxvm.interoponnx.operator.shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.nn.Borders;
import org.relaxvm.compiler.op.nn.Padding;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.compiler.op.shape.Repeats;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.convert.RuntimeNumbers;
import org.relaxvm.interoponnx.operator.known.KnownRepeats;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Tensors repeated, surrounded, cut and reversed. */
public final class Extensions {
  private Extensions() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("Tile", 1, Extensions::tile, KnownRepeats::tile)
        .add("Pad", 1, Extensions::pad, KnownRepeats::pad)
        .add("CenterCropPad", 18, Extensions::centerCropPad)
        .add("ReverseSequence", 10, Extensions::reverseSequence);
  }

  // ---------------------------------------------------------------- repeats

  /** Version 1 repeats along one axis. */
  private static List<Operand> tile(NodeContext node) {
    Expr x = node.tensor(0);
    List<PrimExpr> dims = node.dims(x);
    List<PrimExpr> repeats = repeats(node, dims.size());
    if (repeats.size() != dims.size()) {
      throw node.unsupported(
          "it has " + repeats.size() + " repeats for " + dims.size() + " axes", "");
    }
    if (repeats.stream().allMatch(Extensions::isSmall)) {
      return node.result(
          Repeats.tile(
              x, repeats.stream().map(n -> (int) ((IntImm) n).value()).toArray(Integer[]::new)));
    }
    List<PrimExpr> apart = new ArrayList<>();
    List<PrimExpr> repeated = new ArrayList<>();
    List<PrimExpr> joined = new ArrayList<>();
    for (int axis = 0; axis < dims.size(); axis++) {
      apart.addAll(List.of(IntImm.of(1), dims.get(axis)));
      repeated.addAll(List.of(repeats.get(axis), dims.get(axis)));
      joined.add(node.analyzer().simplify(Exprs.mul(repeats.get(axis), dims.get(axis))));
    }
    Expr split = node.emit(Ops.reshape(x, new ShapeExpr(apart)));
    Expr wide = node.emit(Ops.broadcastTo(split, repeated.toArray()));
    return node.result(Ops.reshape(wide, new ShapeExpr(joined)));
  }

  private static boolean isSmall(PrimExpr count) {
    return count instanceof IntImm number
        && number.value() >= 0
        && number.value() <= Integer.MAX_VALUE;
  }

  private static List<PrimExpr> repeats(NodeContext node, int rank) {
    if (node.version() >= 6) {
      return node.extents(1);
    }
    List<Long> axis = node.deciding(2, "axis").orElse(List.of());
    if (axis.size() != 1) {
      throw node.unsupported("it has " + axis.size() + " axes; expected one", "");
    }
    int along = node.axis(axis.getFirst(), rank);
    List<PrimExpr> tiles = node.extents(1);
    return IntStream.range(0, rank)
        .mapToObj(i -> i == along ? tiles.getFirst() : (PrimExpr) IntImm.of(1))
        .toList();
  }

  // ---------------------------------------------------------------- borders

  /** Widths are attributes before version 11: {@code paddings}, then {@code pads}. */
  private static List<Operand> pad(NodeContext node) {
    Expr x = node.tensor(0);
    int rank = node.rank(x);
    List<PrimExpr> widths = widths(node);
    List<Integer> axes = paddedAxes(node, rank);
    if (widths.size() != 2 * axes.size()) {
      throw node.unsupported(
          "it has " + widths.size() + " widths for " + axes.size() + " axes; expected two for each",
          "");
    }
    List<PrimExpr> before = zeros(rank);
    List<PrimExpr> after = zeros(rank);
    for (int i = 0; i < axes.size(); i++) {
      before.set(axes.get(i), widths.get(i));
      after.set(axes.get(i), widths.get(axes.size() + i));
    }
    if (widths.stream().allMatch(width -> isZero(width))) {
      return List.of(node.operand(0));
    }
    String mode = node.attributes().string("mode", "constant");
    return switch (mode) {
      case "constant" -> constant(node, x, before, after);
      case "reflect" -> node.result(Borders.pad(x, before, after, "reflect"));
      case "edge" -> node.result(Borders.pad(x, before, after, "replicate"));
      case "wrap" -> node.result(Borders.pad(x, before, after, "circular"));
      default ->
          throw node.unsupported(
              "there is no mode '" + mode + "'; expected constant, reflect, edge or wrap", "");
    };
  }

  private static List<PrimExpr> zeros(int count) {
    return new ArrayList<>(IntStream.range(0, count).mapToObj(i -> IntImm.of(0)).toList());
  }

  private static boolean isZero(PrimExpr width) {
    return width instanceof IntImm number && number.value() == 0;
  }

  private static List<PrimExpr> widths(NodeContext node) {
    if (node.version() >= 11) {
      return RuntimeNumbers.signed(node, 1);
    }
    String name = node.version() < 2 ? "paddings" : "pads";
    return node.attributes().integers(name).orElse(List.of()).stream()
        .map(n -> (PrimExpr) IntImm.of(n))
        .toList();
  }

  private static List<Integer> paddedAxes(NodeContext node, int rank) {
    Optional<List<Integer>> axes = Reshapes.axes(node, 3, rank);
    return axes.orElseGet(() -> IntStream.range(0, rank).boxed().toList());
  }

  private static List<Operand> constant(
      NodeContext node, Expr x, List<PrimExpr> before, List<PrimExpr> after) {
    DType dtype = node.dtype(x);
    Optional<Double> known = value(node);
    boolean isPlain =
        IntStream.range(0, before.size())
            .allMatch(axis -> isSmall(before.get(axis)) && isSmall(after.get(axis)));
    if (known.isPresent() && isPlain) {
      List<Long> pairs = new ArrayList<>();
      for (int axis = 0; axis < before.size(); axis++) {
        pairs.add(((IntImm) before.get(axis)).value());
        pairs.add(((IntImm) after.get(axis)).value());
      }
      return node.result(Padding.pad(x, pairs, known.get()));
    }
    Expr value =
        known.isPresent() ? node.scalar(dtype, known.get()) : RuntimeNumbers.scalar(node, 2);
    return node.result(Borders.pad(x, before, after, value));
  }

  /** The value, if it is a number that float64 has; 0 when it is absent. */
  private static Optional<Double> value(NodeContext node) {
    if (node.version() < 11) {
      return Optional.of((double) node.attributes().real("value", 0));
    }
    if (!node.has(2)) {
      return Optional.of(0.0);
    }
    Optional<double[]> known = node.known(2).flatMap(Known::reals);
    if (known.isPresent() && known.get().length == 0) {
      return Optional.of(0.0);
    }
    return known.map(values -> values[0]).filter(value -> !(Math.abs(value) > 1L << 53));
  }

  // ---------------------------------------------------------------- crops

  /** A crop begins at half of what is cut off, rounded down; padding before it likewise. */
  private static List<Operand> centerCropPad(NodeContext node) {
    Expr x = node.tensor(0);
    List<PrimExpr> dims = node.dims(x);
    List<PrimExpr> target = node.extents(1);
    List<Integer> axes =
        node.attributes()
            .integers("axes")
            .map(list -> list.stream().map(axis -> node.axis(axis, dims.size())).toList())
            .orElseGet(() -> IntStream.range(0, dims.size()).boxed().toList());
    if (target.size() != axes.size()) {
      throw node.unsupported(
          "its shape has " + target.size() + " extents for " + axes.size() + " axes", "");
    }
    List<PrimExpr> before = zeros(dims.size());
    List<PrimExpr> after = zeros(dims.size());
    PrimExpr zero = IntImm.of(0);
    for (int i = 0; i < axes.size(); i++) {
      int axis = axes.get(i);
      PrimExpr more = Exprs.sub(target.get(i), dims.get(axis));
      PrimExpr added = Exprs.floorDiv(Exprs.max(more, zero), 2);
      PrimExpr cut = Exprs.floorDiv(Exprs.max(Exprs.sub(zero, more), zero), 2);
      before.set(axis, node.analyzer().simplify(Exprs.sub(added, cut)));
      after.set(axis, node.analyzer().simplify(Exprs.sub(more, before.get(axis))));
    }
    Expr padded = node.emit(Borders.pad(x, before, after, node.scalar(node.dtype(x), 0)));
    return node.result(padded);
  }

  private static List<Operand> reverseSequence(NodeContext node) {
    Expr x = node.tensor(0);
    int rank = node.rank(x);
    int batch = node.axis(node.attributes().integer("batch_axis", 1), rank);
    int time = node.axis(node.attributes().integer("time_axis", 0), rank);
    return node.result(Orders.reverseSequence(x, node.tensor(1), time, batch));
  }
}
