package org.relaxvm.backendsupport.gpu.loops;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.verify.StableFacts;

/** Lowers blocks to plain statements, except for those that rules created. */
public final class BlockLowering extends IrMutator {
  private final List<Buffer> allocated;

  private BlockLowering(List<Buffer> allocated) {
    this.allocated = allocated;
  }

  /**
   * A statement without blocks.
   *
   * @param allocated gets the buffers that blocks allocated
   */
  public static Stmt of(Stmt stmt, List<Buffer> allocated) {
    return new BlockLowering(allocated).rewrite(stmt);
  }

  @Override
  public Stmt rewrite(Stmt stmt) {
    return stmt instanceof BlockRealize realize && !onlyAllocates(realize)
        ? plain(realize)
        : super.rewrite(stmt);
  }

  /** Whether a block is there only for memory of a work-group or of its work-items. */
  private static boolean onlyAllocates(BlockRealize realize) {
    Block block = realize.block();
    return block.iterVars().isEmpty()
        && block.init().isEmpty()
        && realize.predicate().equals(IntImm.of(true))
        && !block.allocBuffers().isEmpty()
        && block.allocBuffers().stream().noneMatch(BlockLowering::isGlobal);
  }

  private static boolean isGlobal(Buffer buffer) {
    return buffer.scope() == MemoryScope.GLOBAL;
  }

  private Stmt plain(BlockRealize realize) {
    Block block = realize.block();
    List<Buffer> own = new ArrayList<>();
    for (Buffer buffer : block.allocBuffers()) {
      (isGlobal(buffer) ? allocated : own).add(buffer);
    }
    Map<Var, PrimExpr> point = Nest.point(realize);
    List<Let> computedBefore = computedBefore(realize);
    computedBefore.forEach(let -> point.remove(let.var()));
    Substitution substitution = new Substitution(point);
    List<Stmt> statements = new ArrayList<>();
    if (block.init().isPresent()) {
      PrimExpr atStart = IntImm.of(true);
      for (IterVar axis : block.iterVars()) {
        if (axis.kind() == IterKind.REDUCE) {
          PrimExpr first = substitution.rewrite(axis.domain().min());
          atStart = Exprs.and(atStart, Exprs.eq(substitution.rewrite(axis.var()), first));
        }
      }
      statements.add(WorkGroups.guarded(atStart, substitution.rewrite(block.init().get())));
    }
    statements.add(substitution.rewrite(block.body()));
    Stmt body = Seq.of(statements);
    for (Let let : computedBefore.reversed()) {
      body = new Let(let.var(), let.value(), body);
    }
    Stmt stmt = rewrite(WorkGroups.guarded(realize.predicate(), body));
    return own.isEmpty() ? stmt : WorkGroups.memory(own, stmt);
  }

  /** The axes whose values the block changes: they are loaded before it. */
  private static List<Let> computedBefore(BlockRealize realize) {
    Block block = realize.block();
    List<Let> lets = new ArrayList<>();
    for (int i = 0; i < realize.iterValues().size(); i++) {
      PrimExpr value = realize.iterValues().get(i);
      if (!StableFacts.isStable(value, realize)) {
        lets.add(new Let(block.iterVars().get(i).var(), value, block.body()));
      }
    }
    return lets;
  }
}
