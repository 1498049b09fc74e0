package org.relaxvm.interoponnx.operator.training;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;

/** Dropout, which leaves a tensor as it is unless a model is trained. */
public final class Dropouts {
  private static final int BOOLEAN_MASK = 10;
  private static final int TRAINING_MODE = 12;

  private Dropouts() {}

  /** Adds the operator to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("Dropout", 1, Dropouts::dropout);
  }

  private static List<Operand> dropout(NodeContext node) {
    if (node.version() >= TRAINING_MODE && mayLeaveOut(node)) {
      throw node.unsupported(
          "in training mode it leaves out elements at random, which is not supported",
          "make its input training_mode the constant false (--value)");
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
}
