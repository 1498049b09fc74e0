package org.relaxvm.tir.verify;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Finds loops whose iterations run at the same time and may work on the same element, one of them
 * writing. Two iterations are compared: one and any later one, with loops inside at any point of
 * theirs.
 */
final class Races extends KnownValues {
  private final String kernel;
  private final List<ConcurrentLoop> open = new ArrayList<>();
  private final List<For> unproven = new ArrayList<>();
  // How many conditions are around the visited statement.
  private int conditions;

  Races(String kernel) {
    this.kernel = kernel;
  }

  /**
   * The loops whose iterations could not be shown to be independent, in the order of their ends.
   */
  List<For> unproven() {
    return unproven;
  }

  /** What one iteration of a loop does, in terms of counters. */
  private static final class ConcurrentLoop {
    final For loop;
    final Map<Var, Range> inside = new LinkedHashMap<>();
    final Set<Buffer> own = Collections.newSetFromMap(new IdentityHashMap<>());
    final List<Access> accesses = new ArrayList<>();
    final int conditionsAround;
    boolean calls;

    ConcurrentLoop(For loop, int conditionsAround) {
      this.loop = loop;
      this.conditionsAround = conditionsAround;
    }

    /** The elements of each buffer that is written, and whether they are: each of them once. */
    Map<Buffer, Map<List<PrimExpr>, Boolean>> elements() {
      Map<Buffer, Map<List<PrimExpr>, Boolean>> elements = new LinkedHashMap<>();
      for (Access access : accesses) {
        elements
            .computeIfAbsent(access.buffer(), buffer -> new LinkedHashMap<>())
            .merge(access.indices(), access.writes(), Boolean::logicalOr);
      }
      elements.values().removeIf(indices -> !indices.containsValue(true));
      return elements;
    }
  }

  /**
   * An element that an iteration works on.
   *
   * @param always whether each iteration does
   */
  private record Access(Buffer buffer, List<PrimExpr> indices, boolean writes, boolean always) {}

  @Override
  void check(Stmt stmt) {
    switch (stmt) {
      case For loop when loop.kind().isConcurrent() -> {
        enter(loop);
        ConcurrentLoop concurrent = new ConcurrentLoop(loop, conditions);
        open.add(concurrent);
        super.check(loop);
        open.removeLast();
        close(concurrent);
      }
      case For loop -> {
        enter(loop);
        super.check(loop);
      }
      case IfThenElse choice -> visitConditional(choice);
      case BlockRealize realize when !realize.predicate().equals(IntImm.of(true)) ->
          visitConditional(realize);
      case CallPacked call -> {
        super.check(call);
        boolean touches = call.args().stream().anyMatch(arg -> arg instanceof PackedArg.OfBuffer);
        open.forEach(concurrent -> concurrent.calls |= touches);
      }
      case BufferStore store -> {
        super.check(store);
        addAccess(store.buffer(), store.indices(), true);
      }
      default -> super.check(stmt);
    }
  }

  private void visitConditional(Stmt stmt) {
    conditions++;
    super.check(stmt);
    conditions--;
  }

  @Override
  public void visit(PrimExpr expr) {
    super.visit(expr);
    if (expr instanceof BufferLoad load) {
      addAccess(load.buffer(), load.indices(), false);
    }
  }

  @Override
  public void visitBufferDefinition(Buffer buffer) {
    open.forEach(concurrent -> concurrent.own.add(buffer));
    super.visitBufferDefinition(buffer);
  }

  private void enter(For loop) {
    Range range = new Range(loop.min(), loop.extent());
    open.forEach(concurrent -> concurrent.inside.put(loop.loopVar(), range));
  }

  private void addAccess(Buffer buffer, List<PrimExpr> indices, boolean writes) {
    if (open.isEmpty()) {
      return;
    }
    List<PrimExpr> simple = indices.stream().map(analyzer::simplify).toList();
    for (ConcurrentLoop concurrent : open) {
      if (!concurrent.own.contains(buffer)) {
        concurrent.accesses.add(
            new Access(buffer, simple, writes, conditions == concurrent.conditionsAround));
      }
    }
  }

  private void close(ConcurrentLoop concurrent) {
    concurrent.accesses.forEach(access -> requireNotAlwaysSame(concurrent, access));
    if (concurrent.calls || !areApart(concurrent)) {
      unproven.add(concurrent.loop);
    }
  }

  private void requireNotAlwaysSame(ConcurrentLoop concurrent, Access access) {
    boolean fixed =
        access.indices().stream()
            .noneMatch(
                index -> uses(index, concurrent.loop.loopVar()) || usesAny(index, concurrent));
    if (access.writes()
        && access.always()
        && fixed
        && analyzer.canProve(Exprs.lt(IntImm.of(1), concurrent.loop.extent()))) {
      throw Verifier.invalid(
          kernel,
          "all iterations of the loop over "
              + concurrent.loop.loopVar()
              + ", which run at the same time, write the same element of "
              + access.buffer());
    }
  }

  private static boolean usesAny(PrimExpr index, ConcurrentLoop concurrent) {
    return index instanceof BufferLoad
        || (index instanceof Var var && concurrent.inside.containsKey(var))
        || index.operands().stream().anyMatch(operand -> usesAny(operand, concurrent));
  }

  private static boolean uses(PrimExpr index, Var var) {
    if (index.equals(var)) {
      return true;
    }
    for (PrimExpr operand : index.operands()) {
      if (uses(operand, var)) {
        return true;
      }
    }
    return false;
  }

  /** Whether one iteration and any later one surely work on other elements. */
  private boolean areApart(ConcurrentLoop concurrent) {
    Map<Buffer, Map<List<PrimExpr>, Boolean>> elements = concurrent.elements();
    if (elements.isEmpty()) {
      return true;
    }
    boolean lookedUp =
        elements.values().stream()
            .flatMap(indices -> indices.keySet().stream().flatMap(List::stream))
            .anyMatch(Races::looksUp);
    return !lookedUp
        && new IterationPair(analyzer, concurrent.loop, concurrent.inside).areApart(elements);
  }

  private static boolean looksUp(PrimExpr index) {
    if (index instanceof BufferLoad) {
      return true;
    }
    for (PrimExpr operand : index.operands()) {
      if (looksUp(operand)) {
        return true;
      }
    }
    return false;
  }
}
