package org.relaxvm.backendcpu.codegen.loops;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.PackedArg;

/**
 * Finds elements that all iterations of a loop write, so that they can stay in a JVM variable until
 * the loop ends. Buffers do not overlap, so only accesses of the same buffer count.
 */
public final class Promotion {
  private final LoopProgram program;
  private final Names names;
  private final long lanes;
  private final Map<Buffer, Set<PrimExpr>> accesses = new IdentityHashMap<>();
  private final Set<BufferLoad> stored = new LinkedHashSet<>();
  private final Set<Buffer> refused = new LinkedHashSet<>();

  private Promotion(LoopProgram program, Names names, long lanes) {
    this.program = program;
    this.names = names;
    this.lanes = lanes;
  }

  /**
   * The elements of a loop, as loads of them.
   *
   * @param lanes how many elements a load is
   */
  public static List<BufferLoad> of(LoopProgram program, Node.Loop loop, long lanes) {
    return of(program, Names.of(program, loop), loop.body(), lanes);
  }

  /**
   * The elements that a statement writes at least once, whatever happens, and that it does not
   * access by other indices, as loads of them.
   *
   * @param lanes how many elements a load is
   */
  public static List<BufferLoad> inStatement(LoopProgram program, Node node, long lanes) {
    return of(program, Names.of(program, node), node, lanes);
  }

  private static List<BufferLoad> of(LoopProgram program, Names names, Node body, long lanes) {
    Promotion promotion = new Promotion(program, names, lanes);
    promotion.visit(body, true);
    List<BufferLoad> found = new ArrayList<>();
    for (BufferLoad element : promotion.stored) {
      if (promotion.isAlone(element)) {
        found.add(element);
      }
    }
    return found;
  }

  private boolean isAlone(BufferLoad element) {
    Buffer buffer = element.buffer();
    if (refused.contains(buffer) || names.allocates(buffer)) {
      return false;
    }
    PrimExpr place = element.indices().getFirst();
    for (PrimExpr other : accesses.getOrDefault(buffer, Set.of())) {
      if (!isInvariant(other) || (!other.equals(place) && !isElsewhere(place, other))) {
        return false;
      }
    }
    return true;
  }

  private boolean isInvariant(PrimExpr place) {
    return Names.variablesOf(place).keySet().stream().noneMatch(names::defines) && !reads(place);
  }

  private static boolean reads(PrimExpr expr) {
    return expr instanceof BufferLoad || expr.operands().stream().anyMatch(Promotion::reads);
  }

  /** Whether the distance is a constant of at least a vector, or a multiple of an extent. */
  private boolean isElsewhere(PrimExpr a, PrimExpr b) {
    PrimExpr distance = new Analyzer().simplify(Exprs.sub(a, b));
    if (distance instanceof IntImm constant) {
      return Math.abs(constant.value()) >= lanes;
    }
    return isExtent(distance);
  }

  private boolean isExtent(PrimExpr expr) {
    return switch (expr) {
      case Var var -> program.variables().contains(var);
      case IntImm constant -> constant.value() != 0;
      case Binary(BinaryOp op, PrimExpr a, PrimExpr b) ->
          op == BinaryOp.MUL && isExtent(a) && isExtent(b);
      default -> false;
    };
  }

  private void visit(Node node, boolean always) {
    switch (node) {
      case Node.Store store -> {
        visit(store.value());
        visit(store.index());
        access(store.buffer(), store.index());
        if (!store.checks().isEmpty()) {
          refused.add(store.buffer());
        } else if (always) {
          stored.add(new BufferLoad(store.buffer(), List.of(store.index())));
        }
      }
      case Node.Loop loop -> {
        visit(loop.min());
        visit(loop.extent());
        boolean runs = loop.extent() instanceof IntImm turns && turns.value() > 0;
        visit(loop.body(), always && runs);
        if (loop.mode() != Node.Mode.SERIAL) {
          // It may be in a method of its own, which finds elements in memory only.
          refused.addAll(Names.of(program, loop).buffers());
        }
      }
      case Node.Branch branch -> {
        visit(branch.condition());
        branch.children().forEach(child -> visit(child, false));
      }
      case Node.Invoke invoke -> {
        invoke.exprs().forEach(this::visit);
        for (PackedArg arg : invoke.args()) {
          if (arg instanceof PackedArg.OfBuffer(Buffer buffer)) {
            refused.add(buffer);
          }
        }
      }
      case Node.Apply apply -> {
        apply.exprs().forEach(this::visit);
        refused.addAll(apply.args());
      }
      case Node.Transpose transpose -> {
        transpose.exprs().forEach(this::visit);
        refused.add(transpose.from());
        refused.add(transpose.to());
      }
      default -> {
        node.exprs().forEach(this::visit);
        node.children().forEach(child -> visit(child, always));
      }
    }
  }

  private void visit(PrimExpr expr) {
    if (expr instanceof BufferLoad load) {
      access(load.buffer(), load.indices().getFirst());
      if (program.checks().containsKey(load)) {
        refused.add(load.buffer());
      }
    }
    expr.operands().forEach(this::visit);
  }

  private void access(Buffer buffer, PrimExpr place) {
    accesses.computeIfAbsent(buffer, key -> new LinkedHashSet<>()).add(place);
  }
}
