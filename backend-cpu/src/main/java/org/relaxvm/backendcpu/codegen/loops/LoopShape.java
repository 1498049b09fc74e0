package org.relaxvm.backendcpu.codegen.loops;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.loops.Node.Branch;
import org.relaxvm.backendcpu.codegen.loops.Node.Define;
import org.relaxvm.backendcpu.codegen.loops.Node.Loop;
import org.relaxvm.backendcpu.codegen.loops.Node.Sequence;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;

/** Takes out of a loop what does not belong to each iteration. */
final class LoopShape {
  private LoopShape() {}

  /**
   * The same loop with an end of its own where a condition was, and what all iterations have in
   * common and what only the first one does in front.
   */
  static Node tighten(Loop loop, Analyzer analyzer) {
    Loop shorter = absorb(loop, analyzer);
    List<Define> common = new ArrayList<>();
    Loop smaller = shorter.withBody(takeCommon(shorter.body(), shorter, common));
    Node result = hoistFirstTurn(smaller);
    for (Define define : common.reversed()) {
      result = new Define(define.var(), define.value(), result);
    }
    if (common.isEmpty() || (loop.extent() instanceof IntImm turns && turns.value() > 0)) {
      return result;
    }
    // Without a turn there may be no value.
    return new Branch(Exprs.lt(IntImm.of(0), shorter.extent()), result, Optional.empty());
  }

  /** Takes the definitions at the start of a body that are the same in all iterations. */
  private static Node takeCommon(Node body, Loop loop, List<Define> common) {
    List<Define> kept = new ArrayList<>();
    Node rest = body;
    while (loop.mode() != Node.Mode.PARALLEL && rest instanceof Define define) {
      boolean free = kept.stream().noneMatch(d -> Affine.uses(define.value(), d.var()));
      (free && isCommon(define.value(), loop) ? common : kept).add(define);
      rest = define.body();
    }
    for (Define define : kept.reversed()) {
      rest = new Define(define.var(), define.value(), rest);
    }
    return rest;
  }

  private static boolean isCommon(PrimExpr value, Loop loop) {
    return !Affine.uses(value, loop.counter()) && !hasLoad(value);
  }

  /** {@code for v < n: if v + c < m: ...} is {@code for v < min(n, m - c): ...}. */
  private static Loop absorb(Loop loop, Analyzer analyzer) {
    if (!(loop.body() instanceof Branch branch) || branch.whenFalse().isPresent()) {
      return loop;
    }
    PrimExpr end = Exprs.add(loop.min(), loop.extent());
    List<PrimExpr> left = new ArrayList<>();
    boolean shorter = false;
    for (PrimExpr term : Exprs.conjuncts(branch.condition())) {
      Optional<PrimExpr> limit = limit(term, loop.counter());
      if (limit.isPresent()) {
        end = Exprs.min(end, limit.get());
        shorter = true;
      } else {
        left.add(term);
      }
    }
    if (!shorter) {
      return loop;
    }
    PrimExpr extent = analyzer.simplify(Exprs.sub(end, loop.min()));
    Node body = branch.whenTrue();
    if (!left.isEmpty()) {
      body = new Branch(left.stream().reduce(Exprs::and).orElseThrow(), body, Optional.empty());
    }
    return new Loop(loop.counter(), loop.min(), extent, loop.mode(), loop.grain(), body);
  }

  /** What a variable must be below for a condition to hold, which says nothing else. */
  private static Optional<PrimExpr> limit(PrimExpr condition, Var var) {
    if (!(condition instanceof Binary(BinaryOp op, PrimExpr a, PrimExpr b))
        || !a.dtype().equals(DType.INT64)
        || (op != BinaryOp.LT && op != BinaryOp.LE)
        || hasLoad(condition)) {
      return Optional.empty();
    }
    PrimExpr difference = Exprs.sub(a, b);
    OptionalLong step = Affine.step(difference, var);
    if (step.isEmpty() || step.getAsLong() != 1) {
      return Optional.empty();
    }
    PrimExpr rest = Substitution.in(difference, java.util.Map.of(var, IntImm.of(0)));
    PrimExpr limit = Exprs.sub(IntImm.of(op == BinaryOp.LT ? 0 : 1), rest);
    return Optional.of(limit);
  }

  /** Moves what only the first iteration does, before anything else, in front of the loop. */
  private static Node hoistFirstTurn(Loop loop) {
    List<Node> nodes = loop.body() instanceof Sequence(List<Node> all) ? all : List.of(loop.body());
    if (loop.mode() == Node.Mode.PARALLEL
        || loop.mode() == Node.Mode.VECTOR
        || nodes.size() < 2
        || !(nodes.getFirst() instanceof Branch branch)
        || branch.whenFalse().isPresent()) {
      return loop;
    }
    List<PrimExpr> left = new ArrayList<>();
    boolean first = false;
    for (PrimExpr term : Exprs.conjuncts(branch.condition())) {
      if (isStart(term, loop)) {
        first = true;
      } else {
        left.add(term);
      }
    }
    if (!first
        || left.stream().anyMatch(term -> Affine.uses(term, loop.counter()) || hasLoad(term))
        || uses(branch.whenTrue(), loop.counter())) {
      return loop;
    }
    if (!(loop.extent() instanceof IntImm turns && turns.value() > 0)) {
      left.add(Exprs.lt(IntImm.of(0), loop.extent()));
    }
    Node start =
        left.isEmpty()
            ? branch.whenTrue()
            : new Branch(
                left.stream().reduce(Exprs::and).orElseThrow(),
                branch.whenTrue(),
                Optional.empty());
    Node rest = Node.sequence(nodes.subList(1, nodes.size()));
    Loop others = loop.withBody(rest);
    return Node.sequence(List.of(start, others));
  }

  private static boolean isStart(PrimExpr term, Loop loop) {
    return term instanceof Binary(BinaryOp op, PrimExpr a, PrimExpr b)
        && op == BinaryOp.EQ
        && ((a.equals(loop.counter()) && b.equals(loop.min()))
            || (b.equals(loop.counter()) && a.equals(loop.min())));
  }

  private static boolean uses(Node node, Var var) {
    return node.exprs().stream().anyMatch(expr -> Affine.uses(expr, var))
        || node.children().stream().anyMatch(child -> uses(child, var));
  }

  private static boolean hasLoad(PrimExpr expr) {
    return expr instanceof BufferLoad || expr.operands().stream().anyMatch(LoopShape::hasLoad);
  }
}
