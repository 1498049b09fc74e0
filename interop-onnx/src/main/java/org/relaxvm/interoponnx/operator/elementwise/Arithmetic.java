package org.relaxvm.interoponnx.operator.elementwise;

import java.util.List;
import java.util.function.BinaryOperator;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Logic;
import org.relaxvm.interoponnx.convert.Converter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.known.KnownArithmetic;
import org.relaxvm.interoponnx.value.Operand;

/** Sums, products, powers and bits. */
public final class Arithmetic {
  private Arithmetic() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("Add", 1, binary(Ops::add), KnownArithmetic::add)
        .add("Sub", 1, binary(Ops::subtract), KnownArithmetic::subtract)
        .add("Mul", 1, binary(Ops::multiply), KnownArithmetic::multiply)
        .add("Div", 1, binary(Ops::divide), KnownArithmetic::divide)
        .add("Mod", 10, Arithmetic::mod, KnownArithmetic::mod)
        .add("Pow", 1, Arithmetic::power, KnownArithmetic::power)
        .add("Min", 1, folded(Ops::minimum), KnownArithmetic::minimum)
        .add("Max", 1, folded(Ops::maximum), KnownArithmetic::maximum)
        .add("Sum", 1, folded(Ops::add))
        .add("Mean", 1, Arithmetic::mean)
        .add("BitShift", 11, Arithmetic::shift)
        .add("BitwiseAnd", 18, binary(Logic::bitwiseAnd))
        .add("BitwiseOr", 18, binary(Logic::bitwiseOr))
        .add("BitwiseXor", 18, binary(Logic::bitwiseXor));
  }

  static Converter binary(BinaryOperator<Expr> operator) {
    return node -> {
      List<Expr> operands = Broadcasting.operands(node);
      return node.result(operator.apply(operands.get(0), operands.get(1)));
    };
  }

  /** The operator between all operands, from the first one on. */
  private static Converter folded(BinaryOperator<Expr> operator) {
    return node -> node.result(fold(node, operator));
  }

  private static Expr fold(NodeContext node, BinaryOperator<Expr> operator) {
    List<Expr> operands = Broadcasting.operands(node);
    Expr result = operands.getFirst();
    for (Expr operand : operands.subList(1, operands.size())) {
      result = node.emit(operator.apply(result, operand));
    }
    return result;
  }

  private static List<Operand> mean(NodeContext node) {
    Expr sum = fold(node, Ops::add);
    return node.result(Ops.divide(sum, Ops.scalar(node.dtype(sum), node.inputs())));
  }

  private static List<Operand> mod(NodeContext node) {
    List<Expr> operands = Broadcasting.operands(node);
    Expr a = operands.get(0);
    Expr b = operands.get(1);
    return node.result(
        node.attributes().flag("fmod", false)
            ? org.relaxvm.compiler.op.elementwise.Arithmetic.mod(a, b)
            : org.relaxvm.compiler.op.elementwise.Arithmetic.floorMod(a, b));
  }

  /** The result has the dtype of the base; the power is computed in a dtype that holds both. */
  private static List<Operand> power(NodeContext node) {
    List<Expr> operands = Broadcasting.operands(node);
    Expr base = operands.get(0);
    Expr exponent = operands.get(1);
    DType result = node.dtype(base);
    DType other = node.dtype(exponent);
    if (result.equals(other)) {
      return node.result(Ops.power(base, exponent));
    }
    DType common =
        result.isFloat()
            ? other.isFloat() && other.bits() > result.bits() ? other : result
            : other.isFloat() || result.equals(DType.UINT64) || other.equals(DType.UINT64)
                ? DType.FLOAT64
                : DType.INT64;
    return node.result(
        Ops.astype(
            node.emit(
                Ops.power(
                    node.emit(Ops.astype(base, common)), node.emit(Ops.astype(exponent, common)))),
            result));
  }

  private static List<Operand> shift(NodeContext node) {
    List<Expr> operands = Broadcasting.operands(node);
    String direction = node.attributes().string("direction", "");
    return switch (direction) {
      case "LEFT" -> node.result(Logic.leftShift(operands.get(0), operands.get(1)));
      case "RIGHT" -> node.result(Logic.rightShift(operands.get(0), operands.get(1)));
      default ->
          throw node.unsupported(
              "the direction is '" + direction + "'; expected LEFT or RIGHT", "");
    };
  }
}
