package org.relaxvm.tir.library;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.kernels.Activation;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.te.TensorExpr;

/**
 * What is done with accumulators before they are stored: a bias and a residual are added, then
 * comes the activation, all in the dtype of the accumulators.
 *
 * @param bias the summand of an index of the output; null for none
 */
record EpilogueFormula(
    @Nullable Function<List<PrimExpr>, PrimExpr> bias,
    @Nullable TensorExpr residual,
    Activation activation) {

  /** The activation of a call, for the dtype of its output. */
  static Activation activation(Operands o) {
    String text = o.text("activation");
    Activation activation = Activation.of(o.function(), text);
    o.require(
        o.outDType().isFloat() || activation.acceptsIntegers(),
        "activation",
        "'none' or 'relu' for " + o.outDType(),
        "'" + text + "'");
    return activation;
  }

  /** What accumulators of a dtype are computed in. */
  static DType wide(DType dtype) {
    return dtype.isFloat() && dtype.bits() < 32 ? DType.FLOAT32 : dtype;
  }

  /** Whether accumulators stay what they are. */
  boolean isNone() {
    return bias == null && residual == null && activation == Activation.NONE;
  }

  /** The output of accumulators in their own dtype. */
  TensorExpr output(Operands o, TensorExpr accumulators) {
    DType dtype = o.outDType();
    return o.kernel()
        .compute(
            Operands.OUT,
            accumulators.shape(),
            i -> {
              PrimExpr value = accumulators.at(i);
              if (bias != null) {
                value = Exprs.add(value, Exprs.cast(accumulators.dtype(), bias.apply(i)));
              }
              if (residual != null) {
                value = Exprs.add(value, Exprs.cast(accumulators.dtype(), residual.at(i)));
              }
              return Exprs.cast(dtype, activated(value));
            });
  }

  private PrimExpr activated(PrimExpr x) {
    return switch (activation) {
      case NONE -> x;
      case RELU -> Exprs.max(x, Exprs.constant(x.dtype(), 0));
      case GELU -> {
        PrimExpr half = new FloatImm(x.dtype(), 0.5);
        PrimExpr erf =
            Exprs.call(Intrinsic.ERF, Exprs.mul(x, new FloatImm(x.dtype(), Math.sqrt(0.5))));
        yield Exprs.mul(x, Exprs.add(half, Exprs.mul(erf, half)));
      }
      case SILU -> Exprs.mul(x, Exprs.call(Intrinsic.SIGMOID, x));
      case SIGMOID -> Exprs.call(Intrinsic.SIGMOID, x);
      case TANH -> Exprs.call(Intrinsic.TANH, x);
    };
  }
}
