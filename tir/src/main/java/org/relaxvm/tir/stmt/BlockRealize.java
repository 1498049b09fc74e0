package org.relaxvm.tir.stmt;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Runs a block at one point.
 *
 * @param iterValues the point: a value per axis
 * @param predicate whether it runs at all
 */
public record BlockRealize(List<PrimExpr> iterValues, PrimExpr predicate, Block block)
    implements Stmt {
  /** Checks the number of values. */
  public BlockRealize {
    iterValues = List.copyOf(iterValues);
    if (iterValues.size() != block.iterVars().size()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the block "
              + block.name()
              + " has "
              + Count.axes(block.iterVars().size())
              + ", but got "
              + Count.of(iterValues.size(), "value", "values"));
    }
    for (int i = 0; i < iterValues.size(); i++) {
      IterVar axis = block.iterVars().get(i);
      if (!iterValues.get(i).dtype().equals(axis.var().dtype())) {
        throw new InvalidProgramException(
            ErrorKind.TYPE,
            "the axis "
                + axis.var()
                + " of the block "
                + block.name()
                + " is "
                + axis.var().dtype()
                + ", but its value is "
                + iterValues.get(i).dtype());
      }
    }
    if (!predicate.dtype().equals(DType.BOOL)) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "the predicate of the block "
              + block.name()
              + " must be bool, but is "
              + predicate.dtype());
    }
  }

  /** A block that runs at every point. */
  public static BlockRealize always(Block block, List<? extends PrimExpr> iterValues) {
    return new BlockRealize(List.copyOf(iterValues), IntImm.of(true), block);
  }
}
