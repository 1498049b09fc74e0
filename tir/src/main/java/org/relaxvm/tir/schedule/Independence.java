package org.relaxvm.tir.schedule;

import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Stmt;

/** Whether the turns of a loop may run at the same time: it only moves blocks to other points. */
final class Independence extends IrVisitor {
  private final For loop;
  private final String what;

  private Independence(For loop, String what) {
    this.loop = loop;
    this.what = what;
  }

  static void require(For loop, ForKind kind) {
    String what = "to make the loop over " + loop.loopVar() + " " + kind.text();
    new Independence(loop, what).visit(loop.body());
  }

  @Override
  public void visit(Stmt stmt) {
    switch (stmt) {
      case BlockRealize realize -> check(realize);
      case BufferStore store ->
          throw Schedule.illegal(what, "it stores into " + store.buffer() + " outside of a block");
      case CallPacked call ->
          throw Schedule.illegal(what, "it calls " + call.name() + " outside of a block");
      case Return result -> throw Schedule.illegal(what, "it returns");
      default -> super.visit(stmt);
    }
  }

  private void check(BlockRealize realize) {
    Block block = realize.block();
    boolean moves = false;
    for (int i = 0; i < block.iterVars().size(); i++) {
      IterVar axis = block.iterVars().get(i);
      if (!Schedule.uses(realize.iterValues().get(i), loop.loopVar())) {
        continue;
      }
      moves = true;
      if (axis.kind() != IterKind.SPATIAL) {
        throw Schedule.illegal(
            what,
            "it moves along the axis "
                + axis.var()
                + " of the block "
                + block.name()
                + ", whose points "
                + (axis.kind() == IterKind.REDUCE
                    ? "update the same elements"
                    : "must follow each other in order"));
      }
    }
    if (!moves) {
      throw Schedule.illegal(
          what, "each turn runs the block " + block.name() + " at the same points");
    }
  }
}
