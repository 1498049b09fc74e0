package org.relaxvm.compiler.op.shape;

import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.Legalizer;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.ShapeArgs;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.ShapeOps;

/** Sums over what broadcasting repeats. Source: docs/spec/op-set.md, section 2.4. */
public final class CollapseSums {
  /** The sum over all that repeats a shape; the inverse of {@code broadcast_to}. */
  public static final OpDef COLLAPSE_SUM_TO =
      OpDef.named("collapse_sum_to")
          .args("data", "shape")
          .rule(
              call ->
                  checked(call, ShapeArgs.tensor(call, 1, ElementTypes.numbers(call, 0).dtype())))
          .legalizer(kernel())
          .build();

  /** {@link #COLLAPSE_SUM_TO} the shape of a tensor. */
  public static final OpDef COLLAPSE_SUM_LIKE =
      OpDef.named("collapse_sum_like")
          .args("data", "collapse_target")
          .rule(
              call ->
                  checked(call, call.tensor(1).withDType(ElementTypes.numbers(call, 0).dtype())))
          .legalizer(kernel())
          .build();

  private CollapseSums() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(COLLAPSE_SUM_TO, COLLAPSE_SUM_LIKE);
  }

  /** The sum over all that repeats a shape. */
  public static Call collapseSumTo(Expr data, Expr shape) {
    return Call.of(COLLAPSE_SUM_TO, data, shape);
  }

  /** The sum over all that repeats the shape of a tensor. */
  public static Call collapseSumLike(Expr data, Expr target) {
    return Call.of(COLLAPSE_SUM_LIKE, data, target);
  }

  private static Legalizer kernel() {
    return (call, kernels) ->
        kernels.call(
            "collapse_sum",
            List.of(call.arg(0)),
            call.call().type(),
            KernelBody.one(
                (k, in) ->
                    ShapeOps.collapseSum(k, "collapse_sum", in.tensor(0), in.resultDims(0))));
  }

  private static Type checked(OpCall call, TensorType target) {
    TensorType data = call.tensor(0);
    boolean fits = !data.hasRank() || !target.hasRank() || data.ndim() >= target.ndim();
    Optional<List<PrimExpr>> from = data.dims();
    Optional<List<PrimExpr>> to = target.dims();
    if (fits && from.isPresent() && to.isPresent()) {
      int missing = data.ndim() - target.ndim();
      for (int axis = 0; axis < target.ndim(); axis++) {
        PrimExpr wanted = to.get().get(axis);
        fits &=
            Extents.isOne(wanted) || !Extents.differ(call, from.get().get(missing + axis), wanted);
      }
    }
    if (!fits) {
      throw call.error(
          "nothing of the shape "
              + to.map(PrimText::printTuple).orElseGet(target::toString)
              + " can be repeated to give "
              + from.map(PrimText::printTuple).orElseGet(data::toString));
    }
    return target.withVDevice(data.vdevice());
  }
}
