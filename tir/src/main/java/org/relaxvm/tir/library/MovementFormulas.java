package org.relaxvm.tir.library;

import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.CreationOps;
import org.relaxvm.tir.op.JoinOps;
import org.relaxvm.tir.op.ShapeOps;
import org.relaxvm.tir.te.TensorExpr;

/** Functions that move or make elements. */
final class MovementFormulas {
  private MovementFormulas() {}

  static void addTo(Map<String, Formula> all) {
    all.put(
        "reshape",
        Formula.of(o -> ShapeOps.copy(o.kernel(), Operands.OUT, o.tensor("x"))).ofLines(true));
    all.put("permute_dims", Formula.of(MovementFormulas::permuteDims));
    all.put("concat", Formula.of(MovementFormulas::concat));
    all.put("full", Formula.of(MovementFormulas::full).ofLines(true));
    all.put("arange", Formula.of(MovementFormulas::arange));
  }

  private static TensorExpr permuteDims(Operands o) {
    int rank = o.shapeOf("x").rank();
    List<Integer> axes = o.axes("axes", rank);
    o.require(
        axes == null || axes.size() == rank,
        "axes",
        "a permutation of " + rank + " axes",
        "" + axes);
    return ShapeOps.permuteDims(o.kernel(), Operands.OUT, o.tensor("x"), axes);
  }

  private static TensorExpr concat(Operands o) {
    int rank = o.shapeOf("xs").rank();
    return JoinOps.concat(o.kernel(), Operands.OUT, o.fields("xs"), o.axis("axis", rank));
  }

  private static TensorExpr full(Operands o) {
    PrimExpr value = o.constant("value", o.outDType());
    return CreationOps.full(o.kernel(), Operands.OUT, o.outShape(), value, o.outDType());
  }

  private static TensorExpr arange(Operands o) {
    int rank = o.outShape().size();
    o.require(rank == 1, Operands.OUT, "of rank 1", "of rank " + rank);
    boolean whole = o.number("start") instanceof Long && o.number("step") instanceof Long;
    DType dtype = whole ? DType.INT64 : DType.FLOAT64;
    PrimExpr start = whole ? IntImm.of(o.integer("start")) : new FloatImm(dtype, o.real("start"));
    PrimExpr step = whole ? IntImm.of(o.integer("step")) : new FloatImm(dtype, o.real("step"));
    return o.kernel()
        .compute(
            Operands.OUT,
            o.outShape(),
            i ->
                Exprs.cast(
                    o.outDType(),
                    Exprs.add(start, Exprs.mul(Exprs.cast(dtype, i.getFirst()), step))));
  }
}
