package org.relaxvm.backendcpu.jit.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Moves allocations whose size is not constant out of loops, as far as their size allows but not
 * out of parallel loops, so that the loops can be code as a whole. Parallel loops with less work
 * than is worth a thread become serial ones.
 */
final class AllocationHoisting {
  private AllocationHoisting() {}

  /** The same statement with fewer allocations in loops. */
  static Node of(Node node) {
    List<Node.Allocate> outer = new ArrayList<>();
    Node inner = hoist(node, outer);
    return around(inner, outer);
  }

  private static Node around(Node body, List<Node.Allocate> allocations) {
    Node node = body;
    for (Node.Allocate allocate : allocations.reversed()) {
      node = new Node.Allocate(allocate.buffer(), allocate.shape(), allocate.size(), node);
    }
    return node;
  }

  /**
   * The statement without allocations that may be made outside of it, which are added to a list.
   */
  private static Node hoist(Node node, List<Node.Allocate> outer) {
    return switch (node) {
      case Node.Loop loop -> hoist(loop, outer);
      case Node.Define(Var var, PrimExpr value, Node body) ->
          new Node.Define(var, value, hoist(body, var, outer));
      case Node.Branch(PrimExpr condition, Node whenTrue, Optional<Node> whenFalse) ->
          new Node.Branch(
              condition, hoist(whenTrue, outer), whenFalse.map(other -> hoist(other, outer)));
      case Node.Sequence(List<Node> nodes) ->
          Node.sequence(nodes.stream().map(child -> hoist(child, outer)).toList());
      case Node.Allocate allocate -> hoist(allocate, outer);
      case Node.Store _, Node.Transpose _, Node.Apply _, Node.Invoke _, Node.Result _ -> node;
    };
  }

  private static Node hoist(Node.Allocate allocate, List<Node.Allocate> outer) {
    boolean isFixed =
        allocate.size() instanceof IntImm
            || Work.readsOrDivides(allocate.size())
            || allocate.shape().stream().anyMatch(Work::readsOrDivides);
    if (isFixed) {
      Node body = of(allocate.body());
      return new Node.Allocate(allocate.buffer(), allocate.shape(), allocate.size(), body);
    }
    // Where the statement would not run, the size may be negative.
    PrimExpr size = Exprs.max(allocate.size(), IntImm.of(0));
    outer.add(new Node.Allocate(allocate.buffer(), allocate.shape(), size, Node.nothing()));
    return hoist(allocate.body(), outer);
  }

  private static Node hoist(Node.Loop loop, List<Node.Allocate> outer) {
    boolean isParallel =
        loop.mode() == Node.Mode.PARALLEL
            && !(loop.extent() instanceof IntImm count && count.value() <= loop.grain());
    if (!isParallel) {
      Node body = hoist(loop.body(), loop.counter(), outer);
      Node.Loop same = loop.withBody(body);
      return loop.mode() == Node.Mode.PARALLEL ? same.withMode(Node.Mode.SERIAL) : same;
    }
    List<Node.Allocate> perThread = new ArrayList<>();
    Node body = hoist(loop.body(), loop.counter(), perThread);
    return loop.withBody(around(body, perThread));
  }

  /** As the other method, with what depends on a variable inside of the statement. */
  private static Node hoist(Node body, Var var, List<Node.Allocate> outer) {
    List<Node.Allocate> all = new ArrayList<>();
    Node inner = hoist(body, all);
    List<Node.Allocate> here = all.stream().filter(one -> Work.uses(one, var)).toList();
    all.stream().filter(one -> !Work.uses(one, var)).forEach(outer::add);
    return around(inner, here);
  }
}
