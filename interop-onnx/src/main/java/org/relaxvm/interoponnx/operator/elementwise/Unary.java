package org.relaxvm.interoponnx.operator.elementwise;

import java.util.List;
import java.util.function.UnaryOperator;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.interoponnx.convert.Converter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.known.KnownArithmetic;
import org.relaxvm.interoponnx.value.Operand;

/** Functions of one element. */
public final class Unary {
  private Unary() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("Abs", 1, unlessUnsigned(Functions::abs), KnownArithmetic::abs)
        .add("Neg", 1, unary(Functions::negative), KnownArithmetic::negative)
        .add("Sign", 9, Unary::sign)
        .add("Floor", 1, unary(Functions::floor), KnownArithmetic::floor)
        .add("Ceil", 1, unary(Functions::ceil), KnownArithmetic::ceil)
        .add("Round", 11, unary(Functions::round), KnownArithmetic::round)
        .add("Exp", 1, unary(Functions::exp))
        .add("Log", 1, unary(Functions::log))
        .add("Sqrt", 1, unary(Functions::sqrt), KnownArithmetic::sqrt)
        .add("Erf", 9, unary(Functions::erf))
        .add("Sin", 7, unary(Functions::sin))
        .add("Cos", 7, unary(Functions::cos))
        .add("Tan", 7, unary(Functions::tan))
        .add("Asin", 7, unary(Functions::asin))
        .add("Acos", 7, unary(Functions::acos))
        .add("Atan", 7, unary(Functions::atan))
        .add("Sinh", 9, unary(Functions::sinh))
        .add("Cosh", 9, unary(Functions::cosh))
        .add("Tanh", 1, unary(Functions::tanh))
        .add("Asinh", 9, unary(Functions::asinh))
        .add("Acosh", 9, unary(Functions::acosh))
        .add("Atanh", 9, unary(Functions::atanh))
        .add("Reciprocal", 1, Unary::reciprocal)
        .add("BitwiseNot", 18, unary(Functions::bitwiseNot))
        .add("IsNaN", 9, unary(Functions::isNan))
        .add("IsInf", 10, Unary::isInf);
  }

  static Converter unary(UnaryOperator<Expr> function) {
    return node -> node.result(function.apply(node.tensor(0)));
  }

  private static Converter unlessUnsigned(UnaryOperator<Expr> function) {
    return node -> {
      Expr x = node.tensor(0);
      return isUnsigned(node.dtype(x)) ? List.of(node.operand(0)) : node.result(function.apply(x));
    };
  }

  private static boolean isUnsigned(DType dtype) {
    return dtype.code() == org.relaxvm.api.TypeCode.UINT;
  }

  private static List<Operand> sign(NodeContext node) {
    Expr x = node.tensor(0);
    DType dtype = node.dtype(x);
    return isUnsigned(dtype)
        ? node.result(Ops.minimum(x, Ops.scalar(dtype, 1)))
        : node.result(Functions.sign(x));
  }

  private static List<Operand> reciprocal(NodeContext node) {
    Expr x = node.tensor(0);
    return node.result(Ops.divide(Ops.scalar(node.dtype(x), 1), x));
  }

  private static List<Operand> isInf(NodeContext node) {
    Expr x = node.tensor(0);
    boolean negative = node.attributes().flag("detect_negative", true);
    boolean positive = node.attributes().flag("detect_positive", true);
    Expr infinite = node.emit(Functions.isInf(x));
    if (negative && positive) {
      return node.result(infinite);
    }
    Expr zero = Ops.scalar(node.dtype(x), 0);
    Expr sign = node.emit(positive ? Ops.greater(x, zero) : Ops.less(x, zero));
    Expr chosen = node.emit(Ops.logicalAnd(infinite, sign));
    return node.result(
        negative || positive ? chosen : Ops.logicalAnd(chosen, Functions.logicalNot(chosen)));
  }
}
