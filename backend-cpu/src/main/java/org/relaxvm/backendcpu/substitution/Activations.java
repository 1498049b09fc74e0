package org.relaxvm.backendcpu.substitution;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.kernels.Activation;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;

/** Finds the activation that an expression is. */
final class Activations {
  private static final double TOLERANCE = 1e-3;

  private Activations() {}

  /** An activation and what it is applied to. */
  record Applied(Activation activation, PrimExpr argument) {}

  /** The outermost activation of an expression, {@link Activation#NONE} when there is none. */
  static Applied of(PrimExpr expr) {
    if (expr instanceof Call call && call.op() == Intrinsic.TANH) {
      return new Applied(Activation.TANH, call.args().getFirst());
    }
    if (expr instanceof Call call && call.op() == Intrinsic.SIGMOID) {
      return new Applied(Activation.SIGMOID, call.args().getFirst());
    }
    if (expr instanceof Binary binary) {
      for (List<PrimExpr> sides : List.of(binary.operands(), binary.operands().reversed())) {
        PrimExpr x = sides.get(0);
        PrimExpr other = sides.get(1);
        if (binary.op() == BinaryOp.MAX && is(other, 0)) {
          return new Applied(Activation.RELU, x);
        }
        if (binary.op() == BinaryOp.MUL && isSigmoid(other, x)) {
          return new Applied(Activation.SILU, x);
        }
        if (binary.op() == BinaryOp.MUL && isNormalDistribution(other, x)) {
          return new Applied(Activation.GELU, x);
        }
      }
    }
    return new Applied(Activation.NONE, expr);
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
