package org.relaxvm.backendsupport.gpu.products;

import java.util.List;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Stmt;

/** The sums of a block of results, which the work-items of a group share out. */
interface Sums {
  /** Work-items of a group. */
  int items();

  /** How many groups a unit of the device should have room for. */
  int groupsAtOnce();

  /** The memory of the sums: of work-items, which the first axis counts. */
  Buffer memory();

  /** Something for each sum of a work-item. */
  Stmt each(Var item, Place body);

  /** How many sums of a work-item are of adjacent columns, from a multiple of them on. */
  int run();

  /**
   * Something for each run of a work-item's sums, given where the first one is. The others follow
   * it along the last axis of the memory.
   */
  Stmt runs(Var item, Place body);

  /** Adds the products of a slice to a work-item's sums. */
  Stmt multiply(Var item, PrimExpr slot, OperandSlots rows, OperandSlots columns);

  /** Where a sum is. */
  @FunctionalInterface
  interface Place {
    /**
     * Something for one sum.
     *
     * @param row in the block
     * @param column in the block
     * @param sum an element of the memory
     */
    Stmt of(PrimExpr row, PrimExpr column, List<PrimExpr> sum);
  }
}
