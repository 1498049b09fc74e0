package org.relaxvm.tir.library;

import java.util.List;
import java.util.Map;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.op.ShapeOps;
import org.relaxvm.tir.op.UnaryOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Functions of single elements, of what is stretched to the output. */
final class FunctionFormulas {
  private FunctionFormulas() {}

  /** An operator of a tensor. */
  private interface Single {
    TensorExpr of(KernelBuilder kernel, String name, TensorExpr x);
  }

  /** An operator of a tensor with attributes. */
  private interface WithAttributes {
    TensorExpr of(Operands operands, TensorExpr x);
  }

  static void addTo(Map<String, Formula> all) {
    all.put("negative", single(UnaryOps::negative));
    all.put("abs", single(UnaryOps::abs));
    all.put("sign", single(UnaryOps::sign));
    all.put("square", single(UnaryOps::square));
    all.put("floor", single(UnaryOps::floor));
    all.put("ceil", single(UnaryOps::ceil));
    all.put("round", single(UnaryOps::round));
    all.put("trunc", single(UnaryOps::trunc));
    all.put("bitwise_not", single(UnaryOps::bitwiseNot));
    all.put("logical_not", single(UnaryOps::logicalNot));
    all.put("isnan", single(UnaryOps::isNan));
    all.put("isinf", single(UnaryOps::isInf));
    all.put("isfinite", single(UnaryOps::isFinite));
    all.put("sigmoid", single(ActivationOps::sigmoid));
    all.put("relu", single(ActivationOps::relu));
    all.put("gelu", single(ActivationOps::gelu));
    all.put("gelu_tanh", single(ActivationOps::geluTanh));
    all.put("silu", single(ActivationOps::silu));
    all.put("selu", single(ActivationOps::selu));
    all.put("copy", single(ShapeOps::copy));
    for (Intrinsic function :
        List.of(
            Intrinsic.EXP,
            Intrinsic.LOG,
            Intrinsic.SQRT,
            Intrinsic.RSQRT,
            Intrinsic.TANH,
            Intrinsic.ERF,
            Intrinsic.SIN,
            Intrinsic.COS,
            Intrinsic.TAN,
            Intrinsic.ASIN,
            Intrinsic.ACOS,
            Intrinsic.ATAN,
            Intrinsic.SINH,
            Intrinsic.COSH,
            Intrinsic.ASINH,
            Intrinsic.ACOSH,
            Intrinsic.ATANH)) {
      all.put(
          function.text(), single((kernel, name, x) -> UnaryOps.math(kernel, name, function, x)));
    }
    all.put("cast", of((o, x) -> UnaryOps.cast(o.kernel(), Operands.OUT, x, o.outDType())));
    all.put("clip", of(FunctionFormulas::clip));
    all.put(
        "leaky_relu",
        of((o, x) -> ActivationOps.leakyRelu(o.kernel(), Operands.OUT, x, o.real("alpha"))));
    all.put("softplus", of(FunctionFormulas::softplus));
  }

  private static TensorExpr clip(Operands o, TensorExpr x) {
    PrimExpr low = o.constant("min", x.dtype());
    PrimExpr high = o.constant("max", x.dtype());
    return UnaryOps.clip(o.kernel(), Operands.OUT, x, low, high);
  }

  private static TensorExpr softplus(Operands o, TensorExpr x) {
    double beta = o.real("beta");
    o.require(beta != 0, "beta", "not 0", "0");
    return ActivationOps.softplus(o.kernel(), Operands.OUT, x, beta, o.real("threshold"));
  }

  private static Formula single(Single op) {
    return of((o, x) -> op.of(o.kernel(), Operands.OUT, x));
  }

  private static Formula of(WithAttributes op) {
    return Formula.of(o -> op.of(o, stretched(o))).ofLines(false);
  }

  private static TensorExpr stretched(Operands o) {
    TensorExpr x = o.tensor("x");
    List<PrimExpr> shape = o.outShape();
    if (x.shape().equals(shape)) {
      return x;
    }
    o.require(
        Stretch.fits(x, shape),
        "x",
        "a shape that broadcasts to " + o.shapeOf("out"),
        "shape " + o.shapeOf("x"));
    return o.kernel().inlined("x_stretched", shape, i -> Stretch.at(x, i));
  }
}
