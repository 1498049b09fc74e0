package org.relaxvm.backendsupport.gpu.gemm;

import java.util.List;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Stmt;

/** The accumulators of a block of results, which the work-items of a work-group share out. */
interface Accumulators {
  /** Work-items of a work-group. */
  int items();

  /** How many work-groups a unit of the device should have room for. */
  int workGroupsAtOnce();

  /** The memory of the accumulators: of work-items, which the first axis counts. */
  Buffer memory();

  /** Something for each accumulator of a work-item. */
  Stmt each(Var item, Body body);

  /** How many accumulators of a work-item are of adjacent columns, from a multiple of them on. */
  int run();

  /**
   * Something for each run of a work-item's accumulators, given where the first one is. The others
   * follow it along the last axis of the memory.
   */
  Stmt runs(Var item, Body body);

  /** Adds the products of a slice to a work-item's accumulators. */
  Stmt multiply(Var item, PrimExpr slot, OperandSlots rows, OperandSlots columns);

  /** A statement for an accumulator. */
  @FunctionalInterface
  interface Body {
    /**
     * Something for one accumulator.
     *
     * @param row in the block
     * @param column in the block
     * @param sum an element of the memory
     */
    Stmt of(PrimExpr row, PrimExpr column, List<PrimExpr> sum);
  }
}
