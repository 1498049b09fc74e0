package org.relaxvm.tir.analysis;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;

/** Finds the function that an expression is. */
final class Activations {
  private static final double TOLERANCE = 1e-3;

  private Activations() {}

  /** A function and what it is applied to. */
  record Applied(EpilogueFunction function, PrimExpr argument) {}

  /** The outermost function of an expression, {@link EpilogueFunction#NONE} when there is none. */
  static Applied of(PrimExpr expr) {
    if (expr instanceof Call call && call.op() == Intrinsic.TANH) {
      return new Applied(EpilogueFunction.TANH, call.args().getFirst());
    }
    if (expr instanceof Call call && call.op() == Intrinsic.SIGMOID) {
      return new Applied(EpilogueFunction.SIGMOID, call.args().getFirst());
    }
    if (expr instanceof Binary binary) {
      for (List<PrimExpr> sides : List.of(binary.operands(), binary.operands().reversed())) {
        PrimExpr x = sides.get(0);
        PrimExpr other = sides.get(1);
        if (binary.op() == BinaryOp.MAX && is(other, 0)) {
          return new Applied(EpilogueFunction.RELU, x);
        }
        if (binary.op() == BinaryOp.MUL && isSigmoid(other, x)) {
          return new Applied(EpilogueFunction.SILU, x);
        }
        if (binary.op() == BinaryOp.MUL && isNormalDistribution(other, x)) {
          return new Applied(EpilogueFunction.GELU, x);
        }
      }
    }
    PrimExpr bent = bentByTanh(unrounded(expr));
    return bent != null
        ? new Applied(EpilogueFunction.GELU_TANH, unrounded(bent))
        : new Applied(EpilogueFunction.NONE, expr);
  }

  /** Without the cast around what is computed in another dtype. */
  private static PrimExpr unrounded(PrimExpr expr) {
    return expr instanceof Cast cast ? cast.value() : expr;
  }

  /**
   * The {@code x} of {@code 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * (x * x * x))))};
   * null when it is none.
   */
  private static @Nullable PrimExpr bentByTanh(PrimExpr expr) {
    if (expr instanceof Binary product
        && product.op() == BinaryOp.MUL
        && other(product.a(), BinaryOp.MUL, 0.5) instanceof PrimExpr x
        && other(product.b(), BinaryOp.ADD, 1) instanceof Call tanh
        && tanh.op() == Intrinsic.TANH
        && other(tanh.args().getFirst(), BinaryOp.MUL, Math.sqrt(2 / Math.PI)) instanceof Binary sum
        && sum.op() == BinaryOp.ADD
        && sum.a().equals(x)
        && other(sum.b(), BinaryOp.MUL, 0.044715) instanceof Binary cube
        && cube.op() == BinaryOp.MUL
        && cube.b().equals(x)
        && cube.a() instanceof Binary square
        && square.op() == BinaryOp.MUL
        && square.a().equals(x)
        && square.b().equals(x)) {
      return x;
    }
    return null;
  }

  private static boolean isSigmoid(PrimExpr expr, PrimExpr of) {
    return expr instanceof Call call
        && call.op() == Intrinsic.SIGMOID
        && call.args().getFirst().equals(of);
  }

  /** {@code 0.5 + erf(x * sqrt(0.5)) * 0.5}. */
  private static boolean isNormalDistribution(PrimExpr expr, PrimExpr x) {
    return other(expr, BinaryOp.ADD, 0.5) instanceof PrimExpr half
        && other(half, BinaryOp.MUL, 0.5) instanceof Call erf
        && erf.op() == Intrinsic.ERF
        && x.equals(other(erf.args().getFirst(), BinaryOp.MUL, Math.sqrt(0.5)));
  }

  /** The other side of an operation with a constant; null when it is none. */
  private static @Nullable PrimExpr other(PrimExpr expr, BinaryOp op, double constant) {
    if (expr instanceof Binary binary && binary.op() == op) {
      if (is(binary.b(), constant)) {
        return binary.a();
      }
      if (is(binary.a(), constant)) {
        return binary.b();
      }
    }
    return null;
  }

  private static boolean is(PrimExpr expr, double value) {
    return switch (expr) {
      case FloatImm imm -> Math.abs(imm.value() - value) <= TOLERANCE * Math.abs(value);
      case IntImm imm -> imm.value() == value;
      default -> false;
    };
  }
}
