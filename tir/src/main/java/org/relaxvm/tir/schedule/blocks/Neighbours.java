package org.relaxvm.tir.schedule.blocks;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.AccessRegions;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.schedule.nest.Refusal;
import org.relaxvm.tir.schedule.nest.StmtPath;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Stmt;

/**
 * The blocks of a kernel that are in none but the one around all, when one of them is to move into
 * the loops of another.
 *
 * @param blocks in the order of the text
 * @param scope the statement that they are in
 */
record Neighbours(List<StmtPath> blocks, Stmt scope, String what) {
  /** The blocks beside one block, and beside those in a loop. */
  static Neighbours of(PrimFunc function, StmtPath moved, StmtPath loop, String what) {
    moved.requireNoBlockAround("it", what);
    loop.requireNoBlockAround("the loop", what);
    Stmt scope =
        function.body() instanceof BlockRealize root ? root.block().body() : function.body();
    return new Neighbours(StmtPath.blocks(scope), scope, what);
  }

  /** The number of a block in the order of the text. */
  @SuppressWarnings("ReferenceEquality") // that very block
  int number(Stmt realize) {
    for (int i = 0; i < blocks.size(); i++) {
      if (blocks.get(i).stmt() == realize) {
        return i;
      }
    }
    throw Refusal.of(what, "it is the block around all others");
  }

  /** The buffers that a block reads. */
  static Set<Buffer> inputs(Block block) {
    return buffers(AccessRegions.of(block).reads());
  }

  /** The buffers that a block writes. */
  static Set<Buffer> outputs(Block block) {
    return buffers(AccessRegions.of(block).writes());
  }

  private static Set<Buffer> buffers(List<BufferRegion> regions) {
    Set<Buffer> buffers = new LinkedHashSet<>();
    regions.forEach(region -> buffers.add(region.buffer()));
    return buffers;
  }

  /** Refuses buffers that something outside of blocks writes, or only reads. */
  void requireOnlyInBlocks(Set<Buffer> buffers, boolean reads) {
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        switch (stmt) {
          case BlockRealize realize -> {
            realize.iterValues().forEach(this::visit);
            visit(realize.predicate());
          }
          case BufferStore store -> {
            require(store.buffer());
            super.visit(store);
          }
          default -> super.visit(stmt);
        }
      }

      @Override
      public void visit(PrimExpr expr) {
        if (reads && expr instanceof BufferLoad load) {
          require(load.buffer());
        }
        super.visit(expr);
      }

      @Override
      public void visit(PackedArg arg) {
        if (arg instanceof PackedArg.OfBuffer(Buffer buffer)) {
          require(buffer);
        }
        super.visit(arg);
      }

      private void require(Buffer buffer) {
        if (buffers.contains(buffer)) {
          throw Refusal.of(what, buffer + " is used outside of blocks");
        }
      }
    }.visit(scope);
  }
}
