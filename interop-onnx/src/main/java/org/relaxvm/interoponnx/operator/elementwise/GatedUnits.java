package org.relaxvm.interoponnx.operator.elementwise;

import java.util.List;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;

/** Activations of one half that scale another. */
public final class GatedUnits {
  private GatedUnits() {}

  /** Adds the operator to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("SwiGLU", 28, GatedUnits::swiglu);
  }

  /** {@code a * sigmoid(alpha * a) * b}, of two tensors of one shape. */
  private static List<Operand> swiglu(NodeContext node) {
    Expr a = node.tensor(0);
    Expr b = node.tensor(1);
    if (node.rank(a) != node.rank(b)) {
      throw node.unsupported(
          "its inputs have " + node.rank(a) + " and " + node.rank(b) + " axes; expected one shape",
          "");
    }
    Expr other = node.assume(b, node.dims(a));
    float alpha = node.attributes().real("alpha", 1);
    Expr steep = alpha == 1 ? a : node.emit(Ops.multiply(a, Dtypes.number(node, a, alpha)));
    Expr gate = node.emit(Ops.multiply(a, node.emit(Functions.sigmoid(steep))));
    return node.result(Ops.multiply(gate, other));
  }
}
