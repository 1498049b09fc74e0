package org.relaxvm.tir.analysis;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A block of a kernel with all that its body loads and stores.
 *
 * @param isPlain whether each point runs the same stores once: no loops, conditions, calls or
 *     blocks are inside
 */
record BlockAccesses(Block block, List<Use> loads, List<BufferStore> stores, boolean isPlain) {

  /**
   * A load.
   *
   * @param guards the variables that decide whether it is executed
   */
  record Use(BufferLoad load, Set<Var> guards) {}

  static BlockAccesses of(Block block) {
    Collector collector = new Collector();
    collector.visit(block.body());
    return new BlockAccesses(
        block, List.copyOf(collector.loads), List.copyOf(collector.stores), collector.isPlain);
  }

  boolean isReduction() {
    return has(IterKind.REDUCE);
  }

  boolean has(IterKind kind) {
    return block.iterVars().stream().anyMatch(axis -> axis.kind() == kind);
  }

  Set<Buffer> written() {
    Set<Buffer> written = new LinkedHashSet<>();
    stores.forEach(store -> written.add(store.buffer()));
    return written;
  }

  /** Whether all stores are at one index. */
  boolean storesAtOneIndex() {
    return stores.stream().allMatch(store -> store.indices().equals(stores.getFirst().indices()));
  }

  private static final class Collector extends IrVisitor {
    private final List<Use> loads = new ArrayList<>();
    private final List<BufferStore> stores = new ArrayList<>();
    private Set<Var> guards = Set.of();
    private boolean isPlain = true;

    @Override
    public void visit(PrimExpr expr) {
      if (expr instanceof BufferLoad load) {
        loads.add(new Use(load, guards));
      }
      boolean choice =
          expr instanceof Select
              || (expr instanceof Call call && call.op() == Intrinsic.IF_THEN_ELSE);
      if (!choice) {
        super.visit(expr);
        return;
      }
      PrimExpr condition = expr.operands().getFirst();
      visit(condition);
      Set<Var> before = guards;
      guards = new HashSet<>(before);
      addDirect(condition, guards);
      expr.operands().subList(1, 3).forEach(this::visit);
      guards = before;
    }

    private static void addDirect(PrimExpr expr, Set<Var> vars) {
      if (expr instanceof Var var) {
        vars.add(var);
      }
      if (!(expr instanceof BufferLoad)) {
        expr.operands().forEach(operand -> addDirect(operand, vars));
      }
    }

    @Override
    public void visit(Stmt stmt) {
      switch (stmt) {
        case BufferStore store -> stores.add(store);
        case Seq seq -> {}
        case Let let -> {}
        default -> isPlain = false;
      }
      super.visit(stmt);
    }
  }
}
