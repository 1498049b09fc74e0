package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.backendsupport.gpu.analysis.Groups;
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
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** Writes blocks as the statements that they stand for, but for those that rules made. */
final class Plain extends IrMutator {
  private final List<Buffer> allocated;

  private Plain(List<Buffer> allocated) {
    this.allocated = allocated;
  }

  /**
   * A statement without blocks.
   *
   * @param allocated gets the buffers that blocks allocated
   */
  static Stmt of(Stmt stmt, List<Buffer> allocated) {
    return new Plain(allocated).rewrite(stmt);
  }

  @Override
  public Stmt rewrite(Stmt stmt) {
    return stmt instanceof BlockRealize realize && !isOfGroup(realize)
        ? plain(realize)
        : super.rewrite(stmt);
  }

  /** Whether a block is there only for memory of a work-group or of its work-items. */
  private static boolean isOfGroup(BlockRealize realize) {
    Block block = realize.block();
    return block.iterVars().isEmpty()
        && block.init().isEmpty()
        && realize.predicate().equals(IntImm.of(true))
        && !block.allocBuffers().isEmpty()
        && block.allocBuffers().stream().noneMatch(Plain::isGlobal);
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
    Map<Var, PrimExpr> point = point(realize);
    Substitution place = new Substitution(point);
    List<Stmt> statements = new ArrayList<>();
    if (block.init().isPresent()) {
      PrimExpr atStart = IntImm.of(true);
      for (IterVar axis : block.iterVars()) {
        if (axis.kind() == IterKind.REDUCE) {
          PrimExpr first = place.rewrite(axis.domain().min());
          atStart = Exprs.and(atStart, Exprs.eq(place.rewrite(axis.var()), first));
        }
      }
      statements.add(Groups.guarded(atStart, place.rewrite(block.init().get())));
    }
    statements.add(place.rewrite(block.body()));
    Stmt stmt = rewrite(Groups.guarded(realize.predicate(), Seq.of(statements)));
    return own.isEmpty() ? stmt : Groups.memory(own, stmt);
  }

  /** The values of the axes of a block. */
  static Map<Var, PrimExpr> point(BlockRealize realize) {
    Map<Var, PrimExpr> values = new IdentityHashMap<>();
    for (int i = 0; i < realize.iterValues().size(); i++) {
      values.put(realize.block().iterVars().get(i).var(), realize.iterValues().get(i));
    }
    return values;
  }
}
