package org.relaxvm.backendcpu.jit.build;

import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * How many vectors a loop computes at once. A loop with a loop inside keeps its sums in registers:
 * as many as hide the latency of an addition. Other loops are unrolled while their body is short.
 */
final class Unrolling {
  private static final int MOST = 8;
  private static final int SHORT = 8;
  private static final int LONG = 24;

  private Unrolling() {}

  /**
   * The copies of a body, a power of two.
   *
   * @param extent of the loop, or -1
   */
  static int copies(Node body, int lanes, long extent, Target target) {
    int size = size(body);
    int copies;
    if (hasLoop(body)) {
      copies = Math.min(MOST, target.vectorRegisters() / 2 / Math.max(1, stores(body)));
    } else {
      copies = size <= SHORT ? 4 : size <= LONG ? 2 : 1;
    }
    copies = Integer.highestOneBit(Math.max(1, copies));
    while (copies > 1 && extent >= 0 && extent < (long) copies * lanes) {
      copies /= 2;
    }
    return copies;
  }

  private static boolean hasLoop(Node node) {
    return node instanceof Node.Loop || node.children().stream().anyMatch(Unrolling::hasLoop);
  }

  private static int stores(Node node) {
    int here = node instanceof Node.Store ? 1 : 0;
    return here + node.children().stream().mapToInt(Unrolling::stores).sum();
  }

  private static int size(Node node) {
    int here = node.exprs().stream().mapToInt(Unrolling::size).sum();
    return here + node.children().stream().mapToInt(Unrolling::size).sum();
  }

  /** Operations of an expression; a function is many. */
  private static int size(PrimExpr expr) {
    int here = expr instanceof Call call && call.dtype().isFloat() ? SHORT : 1;
    return expr.operands().isEmpty()
        ? 0
        : here + expr.operands().stream().mapToInt(Unrolling::size).sum();
  }
}
