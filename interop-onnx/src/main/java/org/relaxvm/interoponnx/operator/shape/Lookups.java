package org.relaxvm.interoponnx.operator.shape;

import java.util.List;
import java.util.Locale;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.index.Gathers;
import org.relaxvm.compiler.op.index.RowUpdates;
import org.relaxvm.compiler.op.index.Scatters;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.known.KnownLookups;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.op.ScatterOps.Reduction;

/** Elements read and written at indices that tensors hold; negative ones count from the end. */
public final class Lookups {
  private Lookups() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("GatherElements", 11, Lookups::gatherElements, KnownLookups::gatherElements)
        .add("GatherND", 11, Lookups::gatherNd, KnownLookups::gatherNd)
        .add("Scatter", 9, Lookups::scatterElements, KnownLookups::scatterElements)
        .add("ScatterElements", 11, Lookups::scatterElements, KnownLookups::scatterElements)
        .add("ScatterND", 11, Lookups::scatterNd, KnownLookups::scatterNd)
        .add("TensorScatter", 24, Lookups::tensorScatter);
  }

  private static int axis(NodeContext node, Expr x) {
    return node.axis(node.attributes().integer("axis", 0), node.rank(x));
  }

  private static List<Operand> gatherElements(NodeContext node) {
    Expr x = node.tensor(0);
    return node.result(Gathers.gatherElements(x, node.tensor(1), axis(node, x)));
  }

  private static List<Operand> gatherNd(NodeContext node) {
    int batch = node.attributes().number("batch_dims", 0);
    return node.result(Gathers.gatherNd(node.tensor(0), node.tensor(1), batch));
  }

  private static Reduction reduction(NodeContext node) {
    String name = node.attributes().string("reduction", "none");
    return switch (name) {
      case "none" -> Reduction.UPDATE;
      case "add", "mul", "max", "min" -> Reduction.valueOf(name.toUpperCase(Locale.ROOT));
      default ->
          throw node.unsupported(
              "there is no reduction '" + name + "'; expected none, add, mul, max or min", "");
    };
  }

  private static List<Operand> scatterElements(NodeContext node) {
    Expr x = node.tensor(0);
    return node.result(
        Scatters.scatterElements(
            x, node.tensor(1), node.tensor(2), axis(node, x), reduction(node)));
  }

  private static List<Operand> scatterNd(NodeContext node) {
    return node.result(
        Scatters.scatterNd(node.tensor(0), node.tensor(1), node.tensor(2), reduction(node)));
  }

  private static List<Operand> tensorScatter(NodeContext node) {
    Expr past = node.tensor(0);
    int axis = node.axis(node.attributes().integer("axis", -2), node.rank(past));
    if (axis == 0) {
      throw node.unsupported("its axis is that of the batch; expected another one", "");
    }
    String mode = node.attributes().string("mode", "linear");
    if (!mode.equals("linear") && !mode.equals("circular")) {
      throw node.unsupported("there is no mode '" + mode + "'; expected linear or circular", "");
    }
    Expr begin =
        node.has(2)
            ? node.tensor(2)
            : node.emit(Ops.zeros(new ShapeExpr(node.dims(past).subList(0, 1)), DType.INT64));
    return node.result(
        RowUpdates.rowUpdate(past, node.tensor(1), begin, axis, mode.equals("circular")));
  }
}
