package org.relaxvm.interoponnx.operator.elementwise;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.compiler.op.elementwise.Logic;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.known.KnownArithmetic;
import org.relaxvm.interoponnx.value.Operand;

/** Comparisons, logic and selection. */
public final class Comparisons {
  private Comparisons() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("Equal", 1, Arithmetic.binary(Ops::equal), KnownArithmetic::equal)
        .add("Less", 1, Arithmetic.binary(Ops::less), KnownArithmetic::less)
        .add(
            "LessOrEqual",
            12,
            Arithmetic.binary(org.relaxvm.compiler.op.elementwise.Comparisons::lessEqual),
            KnownArithmetic::lessEqual)
        .add("Greater", 1, Arithmetic.binary(Ops::greater), KnownArithmetic::greater)
        .add(
            "GreaterOrEqual",
            12,
            Arithmetic.binary(org.relaxvm.compiler.op.elementwise.Comparisons::greaterEqual),
            KnownArithmetic::greaterEqual)
        .add("And", 1, Arithmetic.binary(Logic::logicalAnd), KnownArithmetic::and)
        .add("Or", 1, Arithmetic.binary(Logic::logicalOr), KnownArithmetic::or)
        .add("Xor", 1, Arithmetic.binary(Logic::logicalXor))
        .add(
            "Not",
            1,
            node -> node.result(Functions.logicalNot(node.tensor(0))),
            KnownArithmetic::not)
        .add("Where", 9, Comparisons::where, KnownArithmetic::where);
  }

  private static List<Operand> where(NodeContext node) {
    List<Expr> operands = node.broadcast(node.tensors());
    Expr condition = operands.get(0);
    Expr decided =
        node.dtype(condition).equals(DType.BOOL)
            ? condition
            : node.emit(Ops.astype(condition, DType.BOOL));
    return node.result(Ops.where(decided, operands.get(1), operands.get(2)));
  }
}
