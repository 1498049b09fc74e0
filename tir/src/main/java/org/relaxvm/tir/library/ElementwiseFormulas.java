package org.relaxvm.tir.library;

import java.util.Map;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.op.BinaryOps;
import org.relaxvm.tir.op.IndexingOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Functions of pairs of elements, which broadcast. */
final class ElementwiseFormulas {
  private ElementwiseFormulas() {}

  /** An operator of two tensors. */
  private interface Pair {
    TensorExpr of(KernelBuilder kernel, String name, TensorExpr a, TensorExpr b);
  }

  static void addTo(Map<String, Formula> all) {
    all.put("add", pair(BinaryOps::add));
    all.put("subtract", pair(BinaryOps::subtract));
    all.put("multiply", pair(BinaryOps::multiply));
    all.put("divide", pair(BinaryOps::divide));
    all.put("maximum", pair(BinaryOps::maximum));
    all.put("minimum", pair(BinaryOps::minimum));
    all.put("power", pair(BinaryOps::power));
    all.put("floor_divide", pair(BinaryOps::floorDivide));
    all.put("mod", pair(BinaryOps::mod));
    all.put("floor_mod", pair(BinaryOps::floorMod));
    all.put("logical_and", pair(BinaryOps::logicalAnd));
    all.put("logical_or", pair(BinaryOps::logicalOr));
    all.put("logical_xor", pair(BinaryOps::logicalXor));
    all.put("bitwise_and", bits(Intrinsic.BITWISE_AND));
    all.put("bitwise_or", bits(Intrinsic.BITWISE_OR));
    all.put("bitwise_xor", bits(Intrinsic.BITWISE_XOR));
    all.put("left_shift", bits(Intrinsic.SHIFT_LEFT));
    all.put("right_shift", bits(Intrinsic.SHIFT_RIGHT));
    all.put("equal", comparison(BinaryOp.EQ));
    all.put("not_equal", comparison(BinaryOp.NE));
    all.put("less", comparison(BinaryOp.LT));
    all.put("less_equal", comparison(BinaryOp.LE));
    all.put("greater", comparison(BinaryOp.GT));
    all.put("greater_equal", comparison(BinaryOp.GE));
    all.put(
        "where",
        Formula.of(
                o ->
                    IndexingOps.where(
                        o.kernel(),
                        Operands.OUT,
                        o.tensor("condition"),
                        o.tensor("a"),
                        o.tensor("b")))
            .ofLines(false));
  }

  private static Formula pair(Pair op) {
    return Formula.of(o -> op.of(o.kernel(), Operands.OUT, o.tensor("a"), o.tensor("b")))
        .ofLines(false);
  }

  private static Formula bits(Intrinsic op) {
    return pair((kernel, name, a, b) -> BinaryOps.bits(kernel, name, op, a, b));
  }

  private static Formula comparison(BinaryOp op) {
    return pair((kernel, name, a, b) -> BinaryOps.apply(kernel, name, op, a, b));
  }
}
