package org.relaxvm.tir.verify;

import java.util.HashSet;
import java.util.Set;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Stmt;

/**
 * What stays true while a statement runs. An element that is loaded in front of the statement may
 * have another value after the statement stored to its buffer.
 *
 * <p>Rationale: docs/rationale/tir.md, "Why are facts about loaded elements dropped?"
 */
public final class StableFacts {
  private StableFacts() {}

  /** Whether an expression has the same value in front of a statement and anywhere in it. */
  public static boolean isStable(PrimExpr expr, Stmt statement) {
    Set<Buffer> loaded = new HashSet<>();
    addLoaded(expr, loaded);
    return loaded.isEmpty() || writtenBy(statement).stream().noneMatch(loaded::contains);
  }

  /** The parts of a condition that hold anywhere in a statement if they hold in front of it. */
  public static PrimExpr of(PrimExpr condition, Stmt statement) {
    if (isStable(condition, statement)) {
      return condition;
    }
    return Exprs.conjuncts(condition).stream()
        .filter(part -> isStable(part, statement))
        .reduce(Exprs::and)
        .orElse(IntImm.of(true));
  }

  private static void addLoaded(PrimExpr expr, Set<Buffer> loaded) {
    if (expr instanceof BufferLoad load) {
      loaded.add(load.buffer());
    }
    expr.operands().forEach(operand -> addLoaded(operand, loaded));
  }

  /** The buffers that a statement stores to, or gives to functions that may. */
  private static Set<Buffer> writtenBy(Stmt statement) {
    Set<Buffer> written = new HashSet<>();
    new IrVisitor() {
      @Override
      public void visit(Stmt inner) {
        if (inner instanceof BufferStore store) {
          written.add(store.buffer());
        }
        super.visit(inner);
      }

      @Override
      public void visit(PackedArg arg) {
        if (arg instanceof PackedArg.OfBuffer(Buffer buffer)) {
          written.add(buffer);
        }
        super.visit(arg);
      }
    }.visit(statement);
    return written;
  }
}
