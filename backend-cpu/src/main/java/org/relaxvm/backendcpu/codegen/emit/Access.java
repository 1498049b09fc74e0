package org.relaxvm.backendcpu.codegen.emit;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.backendcpu.codegen.loops.LoopProgram;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;

/** Elements that a loop reads or writes, one an iteration. */
record Access(Buffer buffer, PrimExpr index) {
  /** What a statement may read and write. */
  static Set<Access> all(Node node) {
    Set<Access> found = new LinkedHashSet<>();
    collect(node, found);
    return found;
  }

  private static void collect(Node node, Set<Access> found) {
    if (node instanceof Node.Store store) {
      found.add(new Access(store.buffer(), store.index()));
    }
    node.exprs().forEach(expr -> collect(expr, found));
    node.children().forEach(child -> collect(child, found));
  }

  private static void collect(PrimExpr expr, Set<Access> found) {
    if (expr instanceof BufferLoad load) {
      found.add(new Access(load.buffer(), load.indices().getFirst()));
    }
    expr.operands().forEach(operand -> collect(operand, found));
  }

  /** What a statement reads and writes whatever its conditions are, and without checks. */
  static Set<Access> always(LoopProgram program, Node node) {
    Set<Access> found = new LinkedHashSet<>();
    collect(program, node, found);
    return found;
  }

  private static void collect(LoopProgram program, Node node, Set<Access> found) {
    switch (node) {
      case Node.Store store -> {
        if (store.checks().isEmpty()) {
          found.add(new Access(store.buffer(), store.index()));
        }
        collect(program, store.index(), found);
        collect(program, store.value(), found);
      }
      case Node.Define define -> {
        collect(program, define.value(), found);
        collect(program, define.body(), found);
      }
      case Node.Branch(PrimExpr condition, Node whenTrue, Optional<Node> whenFalse) ->
          collect(program, condition, found);
      case Node.Sequence(List<Node> nodes) -> nodes.forEach(one -> collect(program, one, found));
      // Loops may run no turn.
      default -> node.exprs().forEach(expr -> collect(program, expr, found));
    }
  }

  private static void collect(LoopProgram program, PrimExpr expr, Set<Access> found) {
    switch (expr) {
      case BufferLoad load -> {
        if (!program.checks().containsKey(load)) {
          found.add(new Access(load.buffer(), load.indices().getFirst()));
        }
        load.indices().forEach(index -> collect(program, index, found));
      }
      case Call call when call.op() == Intrinsic.IF_THEN_ELSE ->
          collect(program, call.args().getFirst(), found);
      case Binary(BinaryOp op, PrimExpr a, PrimExpr b)
          when op == BinaryOp.AND || op == BinaryOp.OR ->
          collect(program, a, found);
      default -> expr.operands().forEach(operand -> collect(program, operand, found));
    }
  }
}
