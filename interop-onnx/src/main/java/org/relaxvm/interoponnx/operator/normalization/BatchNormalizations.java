package org.relaxvm.interoponnx.operator.normalization;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.nn.Norms;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Normalization of batches, with given statistics or, in training, with those of the batch.
 *
 * <p>Since version 14 it trains where {@code training_mode} says so. Before, it trains where more
 * than one output is wanted and {@code is_test}, which versions 1 and 6 have, is 0. Before 9,
 * {@code spatial=0} means statistics for each element of an item instead of each channel.
 */
public final class BatchNormalizations {
  private static final int TRAINING_MODE = 14;
  private static final int ALWAYS_SPATIAL = 9;

  private BatchNormalizations() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("BatchNormalization", 1, BatchNormalizations::batchNormalization);
  }

  private static boolean trains(NodeContext node) {
    if (node.version() >= TRAINING_MODE) {
      return node.attributes().flag("training_mode", false);
    }
    boolean hasStatistics = IntStream.range(1, node.outputs()).anyMatch(node::wants);
    return hasStatistics && !node.attributes().flag("is_test", false);
  }

  private static double epsilon(NodeContext node) {
    return node.attributes().real("epsilon", 1e-5f);
  }

  /** The part of the old statistics in the new ones. */
  private static double momentum(NodeContext node) {
    return node.attributes().real("momentum", 0.9f);
  }

  private static List<Operand> batchNormalization(NodeContext node) {
    boolean isSpatial = node.version() >= ALWAYS_SPATIAL || node.attributes().flag("spatial", true);
    return node.results(isSpatial ? perChannel(node) : perElement(node));
  }

  // ---------------------------------------------------------------- per channel

  private static List<Expr> perChannel(NodeContext node) {
    Expr x = node.tensor(0);
    List<PrimExpr> dims = node.dims(x);
    DType dtype = node.dtype(x);
    // A vector is a batch of one channel.
    Expr batch =
        dims.size() == 1
            ? node.emit(Ops.reshape(x, new ShapeExpr(List.of(dims.getFirst(), IntImm.of(1)))))
            : x;
    DType common = commonDtype(node, dtype);
    List<PrimExpr> channels = List.of(node.dims(batch).get(1));
    List<Expr> arguments = new ArrayList<>(List.of(Dtypes.cast(node, batch, common)));
    for (int input = 1; input < 5; input++) {
      Expr parameter = vector(node, input);
      arguments.add(node.assume(Dtypes.cast(node, parameter, common), channels));
    }
    boolean trains = trains(node);
    Expr tuple = node.emit(call(node, arguments, trains));
    Expr normal = Dtypes.cast(node, node.emit(new TupleGetItem(tuple, 0)), dtype);
    Expr result = dims.size() == 1 ? node.emit(Ops.reshape(normal, new ShapeExpr(dims))) : normal;
    List<Expr> results = new ArrayList<>(List.of(result));
    if (trains) {
      DType statistics = node.dtype(node.tensor(3));
      results.add(Dtypes.cast(node, node.emit(new TupleGetItem(tuple, 1)), statistics));
      results.add(Dtypes.cast(node, node.emit(new TupleGetItem(tuple, 2)), statistics));
      addSaved(node, arguments.getFirst(), results);
      return results;
    }
    addGiven(node, results);
    return results;
  }

  private static Expr vector(NodeContext node, int input) {
    Expr parameter = node.tensor(input);
    if (node.rank(parameter) != 1) {
      throw node.unsupported(
          "input " + input + " has " + node.rank(parameter) + " axes; expected 1", "");
    }
    return parameter;
  }

  /** The widest dtype of the tensor and its parameters. */
  private static DType commonDtype(NodeContext node, DType dtype) {
    DType common = dtype;
    for (int input = 1; input < 5; input++) {
      DType other = node.dtype(node.tensor(input));
      boolean isHalf = other.bits() == common.bits() && !other.equals(common);
      common = isHalf ? DType.FLOAT32 : other.bits() > common.bits() ? other : common;
    }
    return common;
  }

  private static Call call(NodeContext node, List<Expr> arguments, boolean trains) {
    Expr x = arguments.get(0);
    Expr scale = arguments.get(1);
    Expr bias = arguments.get(2);
    Expr mean = arguments.get(3);
    Expr variance = arguments.get(4);
    return trains
        ? Norms.batchNormTraining(x, scale, bias, mean, variance, epsilon(node), 1 - momentum(node))
        : Norms.batchNorm(x, scale, bias, mean, variance, epsilon(node));
  }

  /** The given statistics, where outputs are named that only training has. */
  private static void addGiven(NodeContext node, List<Expr> results) {
    for (int output = 1; output < node.outputs(); output++) {
      results.add(node.tensor(output % 2 == 1 ? 3 : 4));
    }
  }

  /** Before version 14 the statistics of the batch are outputs, too. */
  private static void addSaved(NodeContext node, Expr x, List<Expr> results) {
    if (node.version() >= TRAINING_MODE || !(node.wants(3) || node.wants(4))) {
      return;
    }
    List<Integer> axes =
        IntStream.range(0, node.rank(x)).filter(axis -> axis != 1).boxed().toList();
    DType dtype = node.dtype(node.tensor(3));
    results.add(Dtypes.cast(node, node.emit(Reductions.mean(x, axes, false)), dtype));
    results.add(Dtypes.cast(node, node.emit(Reductions.variance(x, axes, false)), dtype));
  }

  // ---------------------------------------------------------------- per element

  private static List<Expr> perElement(NodeContext node) {
    Expr x = node.tensor(0);
    Expr scale = node.tensor(1);
    Expr bias = node.tensor(2);
    Expr mean = node.tensor(3);
    Expr variance = node.tensor(4);
    if (!trains(node)) {
      List<Expr> results = new ArrayList<>(List.of(normal(node, x, scale, bias, mean, variance)));
      addGiven(node, results);
      return results;
    }
    List<Integer> batch = List.of(0);
    Expr ownMean = node.emit(Reductions.mean(x, batch, false));
    Expr ownVariance = node.emit(Reductions.variance(x, batch, false));
    return List.of(
        normal(node, x, scale, bias, ownMean, ownVariance),
        moved(node, mean, ownMean),
        moved(node, variance, ownVariance),
        ownMean,
        ownVariance);
  }

  private static Expr normal(
      NodeContext node, Expr x, Expr scale, Expr bias, Expr mean, Expr variance) {
    List<Expr> shaped = node.broadcast(List.of(x, scale, bias, mean, variance));
    Expr wider = node.emit(Ops.add(shaped.get(4), Dtypes.number(node, x, epsilon(node))));
    Expr factor = node.emit(Ops.multiply(node.emit(Ops.rsqrt(wider)), shaped.get(1)));
    Expr distance = node.emit(Ops.subtract(shaped.getFirst(), shaped.get(3)));
    return node.emit(Ops.add(node.emit(Ops.multiply(distance, factor)), shaped.get(2)));
  }

  private static Expr moved(NodeContext node, Expr old, Expr own) {
    double momentum = momentum(node);
    return node.emit(
        Ops.add(
            node.emit(Ops.multiply(old, Dtypes.number(node, old, momentum))),
            node.emit(Ops.multiply(own, Dtypes.number(node, own, 1 - momentum)))));
  }
}
