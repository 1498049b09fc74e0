package org.relaxvm.interoponnx.operator.quantized;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.value.Operand;

/** The same bits as another dtype of as many. */
public final class BitCasts {
  private BitCasts() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("BitCast", 26, BitCasts::bitCast);
  }

  private static List<Operand> bitCast(NodeContext node) {
    ElementType type = ElementType.of(node.attributes().requiredInteger("to"));
    DType to = type.dtype();
    if (to == null) {
      throw node.unsupported("elements of type " + type.string() + " have no bits", "");
    }
    DType from = Dtypes.of(node, node.operand(0));
    if (from.bits() != to.bits()) {
      throw node.unsupported(
          "elements of "
              + from
              + " have "
              + from.bits()
              + " bits, and those of "
              + to
              + " "
              + to.bits()
              + "; expected as many",
          "");
    }
    if (from.equals(to)) {
      return List.of(node.operand(0));
    }
    Expr x = node.tensor(0);
    return node.result(
        Call.of(MemoryOps.VIEW, x, new ShapeExpr(node.dims(x)), new DataTypeImm(to), Tuple.EMPTY));
  }
}
