package org.relaxvm.tir.op.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Where elements go: a position in the result for each index of a tensor.
 *
 * @param axes the index, one variable of dtype int64 per axis of the tensor
 * @param finalIndices the position, one expression of these variables per axis of the result
 */
public record IndexMap(List<Var> axes, List<PrimExpr> finalIndices) {
  /** Copies the lists. */
  public IndexMap {
    axes = List.copyOf(axes);
    finalIndices = List.copyOf(finalIndices);
  }

  /**
   * A map of a tensor of some rank, such as {@code i -> List.of(floorDiv(i.get(0), 4),
   * floorMod(i.get(0), 4))}.
   */
  public static IndexMap of(int rank, Function<List<PrimExpr>, List<PrimExpr>> map) {
    List<Var> axes = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      axes.add(Var.index("i" + axis));
    }
    return new IndexMap(axes, map.apply(List.copyOf(axes)));
  }
}
