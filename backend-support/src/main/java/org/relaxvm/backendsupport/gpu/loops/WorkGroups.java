package org.relaxvm.backendsupport.gpu.loops;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/** Makes loops over work-groups and work-items. */
public final class WorkGroups {
  private WorkGroups() {}

  /** A loop over work-groups. */
  public static Stmt grid(ThreadAxis axis, Var counter, PrimExpr workGroups, Stmt body) {
    return bound(axis, counter, workGroups, body);
  }

  /** A phase: each of the work-items of a work-group does something. */
  public static Stmt phase(int items, Function<Var, Stmt> body) {
    Var item = Var.index("item");
    return bound(ThreadAxis.THREAD_X, item, IntImm.of(items), body.apply(item));
  }

  private static Stmt bound(ThreadAxis axis, Var counter, PrimExpr extent, Stmt body) {
    return new For(
        counter, IntImm.of(0), extent, ForKind.THREAD_BINDING, Optional.of(axis), body, Map.of());
  }

  /** A launch in which one work-item does everything. */
  public static Stmt single(Stmt stmt) {
    return grid(ThreadAxis.BLOCK_X, Var.index("group"), IntImm.of(1), phase(1, item -> stmt));
  }

  /** A launch that has work-groups only under a condition, which is the same for all of them. */
  public static Stmt when(PrimExpr condition, Stmt launch) {
    if (condition.equals(IntImm.of(true))) {
      return launch;
    }
    if (!(launch instanceof For loop) || loop.thread().isEmpty()) {
      throw new IllegalStateException("a launch begins with a loop over groups");
    }
    return new For(
        loop.loopVar(),
        loop.min(),
        Exprs.select(condition, loop.extent(), IntImm.of(0)),
        loop.kind(),
        loop.thread(),
        loop.body(),
        loop.annotations());
  }

  /**
   * A launch with a work-item for each point of some loops.
   *
   * @param loops from the outside in; their iterations are independent
   * @param body in terms of their counters
   */
  public static Stmt items(List<For> loops, int workGroupSize, Stmt body) {
    PrimExpr total = extent(loops);
    int size = workGroupSize(total, workGroupSize);
    Var workGroup = Var.index("group");
    Var index = Var.index("i");
    return grid(
        ThreadAxis.BLOCK_X,
        workGroup,
        parts(total, size),
        phase(
            size,
            item ->
                new Let(
                    index,
                    Exprs.add(Exprs.mul(workGroup, size), item),
                    guarded(Exprs.lt(index, total), at(loops, index, body)))));
  }

  /** A statement that runs under a condition. */
  public static Stmt guarded(PrimExpr condition, Stmt stmt) {
    return condition.equals(IntImm.of(true))
        ? stmt
        : new IfThenElse(condition, stmt, Optional.empty());
  }

  /** A statement with memory of a work-group or a work-item. */
  public static Stmt memory(List<Buffer> buffers, Stmt stmt) {
    return annotated(buffers, Map.of(), stmt);
  }

  /** A statement in a block with annotations, and with memory of a work-group or a work-item. */
  public static Stmt annotated(List<Buffer> buffers, Map<String, ?> annotations, Stmt stmt) {
    Block block =
        new Block(
            "memory",
            List.of(),
            List.of(),
            List.of(),
            buffers,
            Optional.empty(),
            stmt,
            Map.copyOf(annotations));
    return BlockRealize.always(block, List.of());
  }

  /** How many parts of a size it takes, the last of which may be smaller. */
  public static PrimExpr parts(PrimExpr total, int size) {
    return Exprs.floorDiv(Exprs.add(total, size - 1), size);
  }

  /** How many iterations loops have together. */
  public static PrimExpr extent(List<For> loops) {
    PrimExpr total = IntImm.of(1);
    for (For loop : loops) {
      total = Exprs.mul(total, loop.extent());
    }
    return total;
  }

  /** What is at one point of loops, counted along all of them. */
  public static Stmt at(List<For> loops, Var index, Stmt body) {
    return new Substitution(counters(loops, index)).rewrite(body);
  }

  /** The counters of loops at one point. */
  public static Map<Var, PrimExpr> counters(List<For> loops, PrimExpr index) {
    Map<Var, PrimExpr> counters = new HashMap<>();
    PrimExpr remaining = index;
    for (int i = loops.size() - 1; i >= 0; i--) {
      For loop = loops.get(i);
      PrimExpr iteration = i == 0 ? remaining : Exprs.floorMod(remaining, loop.extent());
      counters.put(loop.loopVar(), Exprs.add(loop.min(), iteration));
      remaining = Exprs.floorDiv(remaining, loop.extent());
    }
    return counters;
  }

  /** The work-items of a work-group for so much work: no more than a power of two above it. */
  public static int workGroupSize(PrimExpr total, int most) {
    if (!(total instanceof IntImm known) || known.value() >= most) {
      return most;
    }
    return known.value() <= 1 ? 1 : 2 * Integer.highestOneBit((int) known.value() - 1);
  }
}
