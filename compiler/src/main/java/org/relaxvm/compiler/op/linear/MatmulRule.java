package org.relaxvm.compiler.op.linear;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.typerule.Broadcast;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.op.typerule.ResultDTypes;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.PrimExpr;

/** The type of a matrix product. Source: docs/spec/op-set.md, section 2.7. */
final class MatmulRule {
  private MatmulRule() {}

  static TensorType type(OpCall call) {
    ElementTypes.require(call, 0, MatmulRule::multiplies, "a tensor of numbers");
    ElementTypes.require(call, 1, MatmulRule::multiplies, "a tensor of numbers");
    TensorType a = Ranks.atLeast(call, 0, 1);
    TensorType b = Ranks.atLeast(call, 1, 1);
    List<Operand> operands = Operand.all(call, 0, 1);
    Optional<DType> dtype = ResultDTypes.of(call, operands);
    TensorType result =
        TensorType.ofRank(dtype, ndim(a, b)).withVDevice(CommonDevice.same(call, operands));
    if (a.dims().isEmpty() || b.dims().isEmpty()) {
      return result;
    }
    return dims(call, a.dims().get(), b.dims().get())
        .map(known -> result.withDims(Extents.simplify(call, known)))
        .orElse(result);
  }

  /** Numbers, and those floats of 8 bits that devices multiply. */
  private static boolean multiplies(DType dtype) {
    return ElementTypes.isNumber(dtype) || dtype.isFloat8();
  }

  /** A vector lacks the axis that the result would have of it. */
  private static int ndim(TensorType a, TensorType b) {
    if (!a.hasRank() || !b.hasRank()) {
      return ShapeType.UNKNOWN;
    }
    int vectors = (a.ndim() == 1 ? 1 : 0) + (b.ndim() == 1 ? 1 : 0);
    return Math.max(2, Math.max(a.ndim(), b.ndim())) - vectors;
  }

  private static Optional<List<PrimExpr>> dims(OpCall call, List<PrimExpr> a, List<PrimExpr> b) {
    boolean row = a.size() == 1;
    boolean column = b.size() == 1;
    PrimExpr left = a.getLast();
    PrimExpr right = b.get(column ? 0 : b.size() - 2);
    if (Extents.differ(call, left, right)) {
      throw call.error(
          "the last extent of x1 and the "
              + (column ? "only" : "second last")
              + " one of x2 must be equal, but are "
              + PrimText.print(left)
              + " and "
              + PrimText.print(right));
    }
    Optional<List<PrimExpr>> batch = Broadcast.dims(call, batch(a), batch(b));
    return batch.map(
        leading -> {
          List<PrimExpr> dims = new ArrayList<>(leading);
          if (!row) {
            dims.add(a.get(a.size() - 2));
          }
          if (!column) {
            dims.add(b.getLast());
          }
          return dims;
        });
  }

  private static List<PrimExpr> batch(List<PrimExpr> dims) {
    return dims.subList(0, Math.max(0, dims.size() - 2));
  }
}
