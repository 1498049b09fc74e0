package org.relaxvm.backendsupport.gpu.codegen;

import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/**
 * Finds the phases in front of which work-items have to meet: those that use memory that another
 * phase since the last meeting used too, one of them writing. Loops around phases are taken as if
 * they ran twice, and not at all where that may be.
 *
 * <p>Rationale: docs/rationale/backend-support.md, "Why are barrier intervals adjacent loops over
 * work-items?"
 */
final class BarrierPlan {
  /** What phases do with memory that work-items share: whether it is written. */
  private final Map<Buffer, Boolean> pending = new HashMap<>();

  private final Map<For, Boolean> barriers = new IdentityHashMap<>();

  private BarrierPlan() {}

  /** The phases that need a barrier in front, and whether it is for memory of the device too. */
  static Map<For, Boolean> of(Stmt launch) {
    BarrierPlan plan = new BarrierPlan();
    plan.walk(launch);
    return plan.barriers;
  }

  private void walk(Stmt stmt) {
    new IrVisitor() {
      @Override
      public void visit(Stmt inner) {
        if (inner instanceof For loop && isPhase(loop)) {
          phase(loop);
        } else if (inner instanceof For loop && loop.thread().isEmpty() && hasPhases(loop)) {
          Map<Buffer, Boolean> before = new HashMap<>(pending);
          super.visit(inner);
          super.visit(inner);
          if (!(loop.extent() instanceof IntImm extent && extent.value() > 0)) {
            before.forEach((buffer, writes) -> pending.merge(buffer, writes, Boolean::logicalOr));
          }
        } else {
          super.visit(inner);
        }
      }
    }.visit(stmt);
  }

  private static boolean isPhase(For loop) {
    return loop.thread().filter(axis -> axis == ThreadAxis.THREAD_X).isPresent();
  }

  private static boolean hasPhases(Stmt stmt) {
    boolean[] found = {false};
    new IrVisitor() {
      @Override
      public void visit(Stmt inner) {
        found[0] |= inner instanceof For loop && isPhase(loop);
        super.visit(inner);
      }
    }.visit(stmt);
    return found[0];
  }

  private void phase(For loop) {
    Map<Buffer, Boolean> uses = new HashMap<>();
    new IrVisitor() {
      @Override
      public void visit(Stmt inner) {
        if (inner instanceof BufferStore store && isShared(store.buffer())) {
          uses.put(store.buffer(), true);
        }
        super.visit(inner);
      }

      @Override
      public void visit(PrimExpr expr) {
        if (expr instanceof BufferLoad load && isShared(load.buffer())) {
          uses.merge(load.buffer(), false, Boolean::logicalOr);
        }
        super.visit(expr);
      }
    }.visit(loop);
    Set<Buffer> conflicts = new HashSet<>();
    uses.forEach(
        (buffer, writes) -> {
          Boolean before = pending.get(buffer);
          if (before != null && (before || writes)) {
            conflicts.add(buffer);
          }
        });
    boolean known = barriers.containsKey(loop);
    if (!conflicts.isEmpty() || known) {
      boolean global =
          conflicts.stream().anyMatch(buffer -> buffer.scope() == MemoryScope.GLOBAL)
              || barriers.getOrDefault(loop, false);
      barriers.put(loop, global);
      if (global) {
        pending.clear();
      } else {
        pending.keySet().removeIf(buffer -> buffer.scope() == MemoryScope.SHARED);
      }
    }
    uses.forEach((buffer, writes) -> pending.merge(buffer, writes, Boolean::logicalOr));
  }

  private static boolean isShared(Buffer buffer) {
    return buffer.scope() != MemoryScope.LOCAL;
  }
}
