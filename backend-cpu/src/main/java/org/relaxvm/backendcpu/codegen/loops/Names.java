package org.relaxvm.backendcpu.codegen.loops;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.PackedArg;

/** The variables and buffers that a statement needs from outside, and those it makes itself. */
public final class Names {
  private final LoopProgram program;
  private final Set<PrimExpr> given;
  private final Set<Var> used = new LinkedHashSet<>();
  private final Set<Var> defined = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Buffer> buffers = new LinkedHashSet<>();
  private final Set<Buffer> stored = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Buffer> allocated = Collections.newSetFromMap(new IdentityHashMap<>());

  private Names(LoopProgram program, Set<PrimExpr> given) {
    this.program = program;
    this.given = given;
  }

  public static Names of(LoopProgram program, Node node) {
    return of(program, node, Set.of());
  }

  /** What a statement needs beside the values of some expressions. */
  public static Names of(LoopProgram program, Node node, Set<PrimExpr> given) {
    Names names = new Names(program, given);
    names.visit(node);
    names.used.removeAll(names.defined);
    names.buffers.removeAll(names.allocated);
    return names;
  }

  public Set<Var> variables() {
    return used;
  }

  public Set<Buffer> buffers() {
    return buffers;
  }

  /** Whether a variable is made inside of the statement. */
  public boolean defines(Var var) {
    return defined.contains(var);
  }

  /** Whether a buffer has its memory inside of the statement only. */
  public boolean allocates(Buffer buffer) {
    return allocated.contains(buffer);
  }

  /** Whether a buffer is written, or may be. */
  public boolean stores(Buffer buffer) {
    return stored.contains(buffer);
  }

  private void visit(Node node) {
    switch (node) {
      case Node.Loop loop -> defined.add(loop.counter());
      case Node.Define define -> defined.add(define.var());
      case Node.Allocate allocate -> allocated.add(allocate.buffer());
      case Node.Store store -> {
        buffers.add(store.buffer());
        stored.add(store.buffer());
        store.checks().forEach(this::visit);
      }
      case Node.Invoke invoke -> {
        for (PackedArg arg : invoke.args()) {
          if (arg instanceof PackedArg.OfBuffer(Buffer buffer)) {
            buffers.add(buffer);
            stored.add(buffer);
            visitShape(program.body(), buffer);
          }
        }
      }
      case Node.Transpose transpose -> {
        buffers.add(transpose.from());
        buffers.add(transpose.to());
        stored.add(transpose.to());
      }
      case Node.Apply apply -> {
        buffers.addAll(apply.args());
        stored.addAll(apply.args());
      }
      case Node.Branch branch -> {}
      case Node.Sequence sequence -> {}
      case Node.Result result -> {}
    }
    node.exprs().forEach(this::visit);
    if (node instanceof Node.Allocate allocate) {
      allocate.shape().forEach(this::visit);
    }
    node.children().forEach(this::visit);
  }

  /** The shape of memory that the kernel allocates is computed where a function gets it. */
  private void visitShape(Node node, Buffer buffer) {
    if (node instanceof Node.Allocate allocate && allocate.buffer().equals(buffer)) {
      allocate.shape().forEach(this::visit);
    }
    node.children().forEach(child -> visitShape(child, buffer));
  }

  private void visit(IndexCheck check) {
    visit(check.index());
    visit(check.extent());
  }

  private void visit(PrimExpr expr) {
    if (given.contains(expr)) {
      return;
    }
    if (expr instanceof Var var) {
      used.add(var);
    } else if (expr instanceof BufferLoad load) {
      buffers.add(load.buffer());
      program.checks().getOrDefault(load, java.util.List.of()).forEach(this::visit);
    }
    expr.operands().forEach(this::visit);
  }

  /** The variables that an expression is made of. */
  public static Map<Var, Boolean> variablesOf(PrimExpr expr) {
    Map<Var, Boolean> found = new IdentityHashMap<>();
    collect(expr, found);
    return found;
  }

  private static void collect(PrimExpr expr, Map<Var, Boolean> found) {
    if (expr instanceof Var var) {
      found.put(var, true);
    }
    expr.operands().forEach(operand -> collect(operand, found));
  }
}
