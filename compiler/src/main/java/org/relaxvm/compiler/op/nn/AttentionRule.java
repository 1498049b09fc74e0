package org.relaxvm.compiler.op.nn;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AttentionOps.CausalMask;
import org.relaxvm.tir.op.AxisLists;

/** The type of attention. Source: docs/spec/op-set.md, section 2.8. */
final class AttentionRule {
  private AttentionRule() {}

  /** The type of a call whose first {@code tensors} arguments are q, k, v and perhaps a bias. */
  static TensorType type(OpCall call, int tensors) {
    checkWindow(call);
    List<Operand> operands = Operand.all(call, IntStream.range(0, tensors).toArray());
    for (int index = 0; index < tensors; index++) {
      Ranks.require(call, index, 4);
      ElementTypes.floats(call, index);
    }
    Optional<DType> dtype = ElementTypes.same(call, operands);
    TensorType result = TensorType.ofRank(dtype, 4).withVDevice(CommonDevice.same(call, operands));
    Optional<List<PrimExpr>> q = call.tensor(0).dims();
    Optional<List<PrimExpr>> k = call.tensor(1).dims();
    Optional<List<PrimExpr>> v = call.tensor(2).dims();
    if (k.isPresent() && v.isPresent()) {
      Extents.requireSame(
          call, k.get().get(0), v.get().get(0), "axis 0 (batches) of key and value");
      Extents.requireSame(call, k.get().get(1), v.get().get(1), "axis 1 of key and value");
      Extents.requireSame(call, k.get().get(2), v.get().get(2), "axis 2 (heads) of key and value");
    }
    if (q.isPresent() && k.isPresent()) {
      checkHeads(call, q.get(), k.get());
    }
    if (q.isPresent() && k.isPresent() && tensors == 4 && call.tensor(3).dims().isPresent()) {
      checkBias(call, q.get(), k.get(), call.tensor(3).dims().get());
    }
    return q.isPresent() && v.isPresent()
        ? result.withDims(AxisLists.with(q.get(), 3, v.get().get(3)))
        : result;
  }

  private static void checkWindow(OpCall call) {
    CausalMask mask = CausalMasks.of(call);
    Optional<Long> window = call.attrs().integer("window_size");
    if (window.isPresent() && (window.get() < 1 || mask == CausalMask.NONE)) {
      throw call.error(
          "window_size must be at least 1, and needs a causal_mask, but is "
              + window.get()
              + " with the mask "
              + mask.text());
    }
  }

  private static void checkHeads(OpCall call, List<PrimExpr> q, List<PrimExpr> k) {
    Extents.requireSame(call, q.get(0), k.get(0), "axis 0 (batches) of query and key");
    Extents.requireSame(call, q.get(3), k.get(3), "axis 3 of query and key");
    boolean fits =
        !(q.get(2) instanceof IntImm n && k.get(2) instanceof IntImm nk)
            || (nk.value() > 0 && n.value() % nk.value() == 0);
    if (!fits) {
      throw call.error(
          "the heads of query must be a multiple of those of key, but are "
              + PrimText.print(q.get(2))
              + " and "
              + PrimText.print(k.get(2)));
    }
  }

  private static void checkBias(
      OpCall call, List<PrimExpr> q, List<PrimExpr> k, List<PrimExpr> bias) {
    List<PrimExpr> scores = List.of(q.get(0), q.get(2), q.get(1), k.get(1));
    for (int axis = 0; axis < scores.size(); axis++) {
      if (!Extents.isOne(bias.get(axis))
          && Extents.differ(call, scores.get(axis), bias.get(axis))) {
        throw call.error(
            "bias must be broadcast to "
                + PrimText.printTuple(scores)
                + " (batch, heads, queries, keys), but is "
                + PrimText.printTuple(bias));
      }
    }
  }
}
