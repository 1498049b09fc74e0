package org.relaxvm.interoponnx.operator.shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.convert.RuntimeNumbers;
import org.relaxvm.interoponnx.operator.known.KnownMoves;
import org.relaxvm.interoponnx.operator.known.KnownRepeats;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** The same elements with other axes. */
public final class Reshapes {
  private Reshapes() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("Reshape", 1, Reshapes::reshape, KnownMoves::reshape)
        .add("Flatten", 1, Reshapes::flatten, KnownRepeats::flatten)
        .add("Squeeze", 1, Reshapes::squeeze, KnownMoves::squeeze)
        .add("Unsqueeze", 1, Reshapes::unsqueeze, KnownMoves::unsqueeze)
        .add("Transpose", 1, Reshapes::transpose, KnownMoves::transpose)
        .add("DepthToSpace", 1, Reshapes::depthToSpace)
        .add("SpaceToDepth", 1, Reshapes::spaceToDepth);
  }

  /** The shape is an attribute in version 1; 0 copies an extent unless {@code allowzero}. */
  private static List<Operand> reshape(NodeContext node) {
    Expr x = node.tensor(0);
    boolean keepsZero = node.attributes().flag("allowzero", false);
    List<PrimExpr> target =
        node.version() < 5
            ? node.attributes().integers("shape").orElse(List.of()).stream()
                .map(n -> (PrimExpr) IntImm.of(n))
                .toList()
            : node.known(1)
                .flatMap(Known::integers)
                .orElseGet(() -> computedShape(node, x, keepsZero));
    List<PrimExpr> source = node.dims(x);
    List<PrimExpr> dims = new ArrayList<>();
    for (int axis = 0; axis < target.size(); axis++) {
      boolean isZero = target.get(axis) instanceof IntImm number && number.value() == 0;
      dims.add(isZero && !keepsZero && axis < source.size() ? source.get(axis) : target.get(axis));
    }
    return node.result(
        RuntimeNumbers.isEmpty(source) && !RuntimeNumbers.isEmpty(dims) && !isOpen(dims)
            ? Ops.zeros(new ShapeExpr(dims), node.dtype(x))
            : Ops.reshape(x, new ShapeExpr(dims)));
  }

  private static boolean isOpen(List<PrimExpr> dims) {
    return dims.stream().anyMatch(dim -> dim instanceof IntImm number && number.value() < 0);
  }

  private static List<PrimExpr> computedShape(NodeContext node, Expr x, boolean keepsZero) {
    Expr target = node.tensor(1);
    int count = RuntimeNumbers.count(node, target);
    return RuntimeNumbers.symbols(node, count, shapeOfReshaped(node, x, target, count, keepsZero));
  }

  /**
   * The shape that a target stands for, where 0 copies an extent and -1 is what is left, as it is
   * when the program runs.
   *
   * @param target int64 {@code [count]}
   * @param keepsZero whether 0 is an extent
   */
  public static Expr shapeOfReshaped(
      NodeContext node, Expr x, Expr target, int count, boolean keepsZero) {
    Expr shape = node.builder().emit(ValueOps.shapeOf(x), node.hint() + "_source");
    return node.builder()
        .emit(
            CallOps.callPurePacked(
                "relax.run.reshaped",
                List.of(shape, target, PrimValue.of(keepsZero)),
                ShapeType.ofRank(count)),
            node.hint() + "_shape");
  }

  private static List<Operand> flatten(NodeContext node) {
    Expr x = node.tensor(0);
    List<PrimExpr> dims = node.dims(x);
    long given = node.attributes().integer("axis", 1);
    int axis = (int) (given < 0 ? given + dims.size() : given);
    if (axis < 0 || axis > dims.size()) {
      throw node.unsupported("there is no axis " + given + " of " + dims.size() + " axes", "");
    }
    PrimExpr rows = node.analyzer().simplify(Exprs.product(dims.subList(0, axis)));
    PrimExpr columns = node.analyzer().simplify(Exprs.product(dims.subList(axis, dims.size())));
    return node.result(Ops.reshape(x, new ShapeExpr(List.of(rows, columns))));
  }

  /** The axes, an attribute before version 13, as numbers from 0 of a rank; empty when absent. */
  public static Optional<List<Integer>> axes(NodeContext node, int rank) {
    return axes(node, 1, rank);
  }

  /** The axes, an attribute or an input, as numbers from 0 of a rank; empty when absent. */
  static Optional<List<Integer>> axes(NodeContext node, int input, int rank) {
    Optional<List<Long>> given = node.attributes().integers("axes");
    if (given.isEmpty()) {
      given = node.deciding(input, "axes");
    }
    return given.map(axes -> axes.stream().map(axis -> node.axis(axis, rank)).toList());
  }

  private static List<Operand> squeeze(NodeContext node) {
    Expr x = node.tensor(0);
    List<PrimExpr> dims = node.dims(x);
    Optional<List<Integer>> given = axes(node, dims.size());
    if (given.isEmpty() && !node.areDecided(dims)) {
      throw node.unsupported(
          "it has no axes, and which extents are 1 is unknown", "bind the extents (--bind)");
    }
    List<Integer> axes =
        given.orElseGet(
            () -> IntStream.range(0, dims.size()).filter(i -> isOne(dims.get(i))).boxed().toList());
    return axes.isEmpty()
        ? List.of(node.operand(0))
        : node.result(Ops.squeeze(x, axes.toArray(new Integer[0])));
  }

  private static boolean isOne(PrimExpr extent) {
    return extent instanceof IntImm number && number.value() == 1;
  }

  private static List<Operand> unsqueeze(NodeContext node) {
    Expr x = node.tensor(0);
    int count =
        node.attributes()
            .integers("axes")
            .map(List::size)
            .orElseGet(() -> node.deciding(1, "axes").map(List::size).orElse(0));
    List<Integer> axes = axes(node, node.rank(x) + count).orElse(List.of());
    return axes.isEmpty()
        ? List.of(node.operand(0))
        : node.result(Ops.expandDims(x, axes.stream().sorted().toArray(Integer[]::new)));
  }

  private static List<Operand> transpose(NodeContext node) {
    Expr x = node.tensor(0);
    int rank = node.rank(x);
    return node.result(
        node.attributes()
            .integers("perm")
            .map(
                perm ->
                    Ops.permuteDims(
                        x,
                        perm.stream().map(axis -> node.axis(axis, rank)).toArray(Integer[]::new)))
            .orElseGet(() -> Ops.transpose(x)));
  }

  private static List<Operand> depthToSpace(NodeContext node) {
    Expr x = node.tensor(0);
    long block = node.attributes().requiredInteger("blocksize");
    List<PrimExpr> d = node.dims(x);
    boolean depthFirst = node.attributes().string("mode", "DCR").equals("DCR");
    PrimExpr depth = node.analyzer().simplify(Exprs.floorDiv(d.get(1), block * block));
    Expr split =
        node.emit(
            depthFirst
                ? Ops.reshape(x, d.get(0), block, block, depth, d.get(2), d.get(3))
                : Ops.reshape(x, d.get(0), depth, block, block, d.get(2), d.get(3)));
    Expr moved =
        node.emit(
            depthFirst
                ? Ops.permuteDims(split, 0, 3, 4, 1, 5, 2)
                : Ops.permuteDims(split, 0, 1, 4, 2, 5, 3));
    return node.result(
        Ops.reshape(
            moved, d.get(0), depth, Exprs.mul(d.get(2), block), Exprs.mul(d.get(3), block)));
  }

  private static List<Operand> spaceToDepth(NodeContext node) {
    Expr x = node.tensor(0);
    long block = node.attributes().requiredInteger("blocksize");
    List<PrimExpr> d = node.dims(x);
    PrimExpr height = node.analyzer().simplify(Exprs.floorDiv(d.get(2), block));
    PrimExpr width = node.analyzer().simplify(Exprs.floorDiv(d.get(3), block));
    Expr split = node.emit(Ops.reshape(x, d.get(0), d.get(1), height, block, width, block));
    Expr moved = node.emit(Ops.permuteDims(split, 0, 3, 5, 1, 2, 4));
    return node.result(
        Ops.reshape(moved, d.get(0), Exprs.mul(d.get(1), block * block), height, width));
  }
}
