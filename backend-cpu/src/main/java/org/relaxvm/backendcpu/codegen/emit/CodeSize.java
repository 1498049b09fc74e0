package org.relaxvm.backendcpu.codegen.emit;

import java.util.List;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.PrimExpr;

/** Estimates how many bytes of instructions a statement becomes. */
final class CodeSize {
  /** The most for a method: HotSpot does not compile methods of 8000 bytes and more. */
  static final long LIMIT = 3000;

  static final int PER_EXPRESSION = 6;
  private static final int PER_STATEMENT = 16;
  private static final int PER_LOOP = 60;

  private CodeSize() {}

  static long of(Node node) {
    long size =
        switch (node) {
          case Node.Loop loop -> PER_LOOP;
          default -> PER_STATEMENT;
        };
    for (PrimExpr expr : node.exprs()) {
      size += of(expr);
    }
    long inside = 0;
    for (Node child : node.children()) {
      inside += of(child);
    }
    if (node instanceof Node.Loop loop) {
      inside *=
          switch (loop.mode()) {
            case VECTOR -> 2;
            case REDUCTION -> LoopEmitter.ACCUMULATORS + 2;
            default -> 1;
          };
    }
    return size + inside;
  }

  static long of(PrimExpr expr) {
    long size = PER_EXPRESSION;
    for (PrimExpr operand : expr.operands()) {
      size += of(operand);
    }
    return size;
  }

  /** Whether statements can be in methods of their own: they do not end the kernel. */
  static boolean canSplit(List<Node> nodes) {
    return nodes.stream().noneMatch(CodeSize::ends);
  }

  private static boolean ends(Node node) {
    return node instanceof Node.Result || node.children().stream().anyMatch(CodeSize::ends);
  }
}
