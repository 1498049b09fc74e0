package org.relaxvm.backendcpu.codegen.emit;

import java.util.LinkedHashSet;
import java.util.Set;
import org.relaxvm.backendcpu.codegen.loops.LoopProgram;
import org.relaxvm.backendcpu.codegen.loops.Names;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Finds what all iterations of a loop compute alike from memory that the loop does not write, so
 * that it is computed once in front of the loop.
 */
final class Hoisting {
  private final LoopProgram program;
  private final Names names;
  private final Set<PrimExpr> found = new LinkedHashSet<>();

  private Hoisting(LoopProgram program, Names names) {
    this.program = program;
    this.names = names;
  }

  /** The expressions, each as large as it can be. */
  static Set<PrimExpr> of(LoopProgram program, Node.Loop loop) {
    Hoisting hoisting = new Hoisting(program, Names.of(program, loop));
    hoisting.visit(loop.body());
    return hoisting.found;
  }

  private void visit(Node node) {
    switch (node) {
      case Node.Store store -> visit(store.value());
      case Node.Define define -> {
        visit(define.value());
        visit(define.body());
      }
      case Node.Sequence sequence -> sequence.nodes().forEach(this::visit);
      case Node.Loop loop -> {
        if (loop.extent() instanceof IntImm turns && turns.value() > 0) {
          visit(loop.body());
        }
      }
      default -> {}
    }
  }

  private void visit(PrimExpr expr) {
    if (isInvariant(expr)) {
      if (costs(expr)) {
        found.add(expr);
      }
      return;
    }
    if (expr instanceof Call call && call.op() == Intrinsic.IF_THEN_ELSE) {
      visit(call.args().getFirst());
    } else {
      expr.operands().forEach(this::visit);
    }
  }

  private boolean isInvariant(PrimExpr expr) {
    if (expr instanceof BufferLoad load
        && (names.stores(load.buffer())
            || names.allocates(load.buffer())
            || program.checks().containsKey(load))) {
      return false;
    }
    return !(expr instanceof org.relaxvm.tir.expr.Var var && names.defines(var))
        && expr.operands().stream().allMatch(this::isInvariant);
  }

  /** Whether the JIT compiler cannot be trusted to do it itself. */
  private static boolean costs(PrimExpr expr) {
    return expr instanceof BufferLoad
        || expr instanceof Call
        || expr.operands().stream().anyMatch(Hoisting::costs);
  }
}
