package org.relaxvm.interoponnx.operator.training;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.create.RandomNumbers;
import org.relaxvm.compiler.op.elementwise.Comparisons;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.convert.Seeds;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;

/**
 * Dropout, which leaves a tensor as it is unless a model is trained. Which elements it leaves out
 * then is a function of the seed, the same in each run.
 */
public final class Dropouts {
  private static final int BOOLEAN_MASK = 10;
  private static final int TRAINING_MODE = 12;
  private static final double DEFAULT_RATIO = 0.5;

  private Dropouts() {}

  /** Adds the operator to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("Dropout", 1, Dropouts::dropout);
  }

  private static List<Operand> dropout(NodeContext node) {
    if (node.version() >= TRAINING_MODE && mayLeaveOut(node)) {
      return leavingOut(node);
    }
    List<Operand> results = new ArrayList<>(List.of(node.operand(0)));
    if (node.wants(1)) {
      TensorType type = node.typeOf(node.operand(0));
      DType dtype =
          node.version() >= BOOLEAN_MASK ? DType.BOOL : type.dtype().orElse(DType.FLOAT32);
      ShapeExpr shape = new ShapeExpr(node.dims(node.tensor(0)));
      results.add(node.operandOf(Ops.ones(shape, dtype)));
    }
    return results;
  }

  private static boolean mayLeaveOut(NodeContext node) {
    boolean isOff = !node.has(2) || isZero(node.known(2));
    boolean keepsAll = node.has(1) && isZero(node.known(1));
    return !isOff && !keepsAll;
  }

  private static boolean isZero(Optional<Known> value) {
    return value
        .flatMap(Known::reals)
        .map(numbers -> numbers.length == 1 && numbers[0] == 0)
        .orElse(false);
  }

  // ---------------------------------------------------------------- training

  /**
   * The elements whose random number is at least the ratio, scaled so that their sum is expected to
   * stay. The ratio is 0 where the program does not train.
   */
  private static List<Operand> leavingOut(NodeContext node) {
    Expr x = node.tensor(0);
    Expr ratio =
        node.has(1)
            ? Dtypes.cast(node, scalar(node, 1), DType.FLOAT32)
            : node.scalar(DType.FLOAT32, DEFAULT_RATIO);
    Expr trains = Dtypes.cast(node, scalar(node, 2), DType.BOOL);
    Expr part = node.emit(Ops.where(trains, ratio, node.scalar(DType.FLOAT32, 0)));
    ShapeExpr shape = new ShapeExpr(node.dims(x));
    Expr numbers = node.emit(RandomNumbers.uniform(shape, DType.FLOAT32, seed(node), 0, 1));
    Expr keeps = node.emit(Comparisons.greaterEqual(numbers, part));
    Expr kept = node.emit(Ops.subtract(Dtypes.number(node, part, 1), part));
    Expr scale = node.emit(Ops.divide(Dtypes.number(node, kept, 1), kept));
    Expr scaled = node.emit(Ops.multiply(x, Dtypes.cast(node, scale, node.dtype(x))));
    Expr zero = node.scalar(node.dtype(x), 0);
    return node.results(List.of(node.emit(Ops.where(keeps, scaled, zero)), keeps));
  }

  private static Expr scalar(NodeContext node, int input) {
    Expr value = node.tensor(input);
    return node.rank(value) == 0 ? value : node.emit(Ops.reshape(value, Ops.shape()));
  }

  private static long seed(NodeContext node) {
    return node.attributes().integer("seed", Seeds.ofName(node));
  }
}
