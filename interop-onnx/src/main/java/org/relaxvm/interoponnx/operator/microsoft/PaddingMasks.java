package org.relaxvm.interoponnx.operator.microsoft;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.operator.attention.Masks;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Masks of keys that are padding, in all forms that operators of ONNX Runtime have. */
final class PaddingMasks {
  private static final float FILTER = -10000f;

  private PaddingMasks() {}

  /**
   * Adds the attribute {@code mask_filter_value} where keys are padding.
   *
   * @param mask integers: lengths {@code [b]}, ends and starts {@code [2 b]}, lengths and positions
   *     of packed rows {@code [3 b + 2]}; or 1 for what counts, {@code [b, sk]}, {@code [b, sq,
   *     sk]} or {@code [b, 1, max, max]}
   * @param scores the extents of the scores
   * @param past how many keys come before those of the queries
   */
  static void add(
      NodeContext node, Masks masks, Expr mask, List<PrimExpr> scores, PrimExpr past, DType dtype) {
    Expr condition =
        node.rank(mask) == 1
            ? byPosition(node, masks, mask, scores.getFirst())
            : byElement(node, mask, scores, past);
    masks.addWhereNot(condition, dtype, node.attributes().real("mask_filter_value", FILTER));
  }

  private static Expr byPosition(NodeContext node, Masks masks, Expr mask, PrimExpr batch) {
    Emitter e = new Emitter(node);
    PrimExpr count = e.dim(mask, 0);
    PrimExpr two = e.product(batch, IntImm.of(2));
    if (e.areEqual(count, two) && !e.areEqual(count, batch)) {
      Expr ends = masks.perBatch(e.slice(mask, 0, IntImm.of(0), batch));
      Expr starts = masks.perBatch(e.slice(mask, 0, batch, two));
      return e.and(e.less(masks.keys(), ends), e.lessEqual(starts, masks.keys()));
    }
    PrimExpr packed = e.sum(e.product(batch, IntImm.of(3)), IntImm.of(2));
    Expr lengths = e.areEqual(count, packed) ? e.slice(mask, 0, IntImm.of(0), batch) : mask;
    return e.less(masks.keys(), masks.perBatch(lengths));
  }

  private static Expr byElement(NodeContext node, Expr mask, List<PrimExpr> scores, PrimExpr past) {
    Emitter e = new Emitter(node);
    Expr counts =
        node.dtype(mask).equals(DType.BOOL)
            ? mask
            : node.emit(Ops.greater(mask, e.number(mask, 0)));
    return switch (node.rank(mask)) {
      case 2 -> e.unsqueeze(counts, 1, 2);
      case 3 -> e.unsqueeze(counts, 1);
      case 4 -> {
        Expr rows = e.slice(counts, 2, past, e.sum(past, scores.get(2)));
        yield e.slice(rows, 3, IntImm.of(0), scores.get(3));
      }
      default ->
          throw node.unsupported("the mask has " + node.rank(mask) + " axes; expected 1 to 4", "");
    };
  }
}
