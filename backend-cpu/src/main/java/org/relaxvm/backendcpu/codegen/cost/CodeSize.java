package org.relaxvm.backendcpu.codegen.cost;

import java.util.List;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.PrimExpr;

/** Estimates how many bytes of instructions a statement becomes. */
public final class CodeSize {
  /** Sums under way at once in a loop that adds up. */
  public static final int ACCUMULATORS = 4;

  /** The most for a method: HotSpot does not compile methods of 8000 bytes and more. */
  public static final long LIMIT = 3000;

  /** The longest method that HotSpot compiles as a part of others ({@code FreqInlineSize}). */
  public static final int MOST_INLINED = 325;

  /** What an operation becomes. */
  public static final int PER_EXPRESSION = 6;

  private static final int PER_STATEMENT = 16;
  private static final int PER_LOOP = 60;

  private CodeSize() {}

  /** The bytes of a statement and all inside. */
  public static long of(Node node) {
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
            case REDUCTION -> ACCUMULATORS + 2;
            default -> 1;
          };
    }
    return size + inside;
  }

  /** The bytes of an expression. */
  public static long of(PrimExpr expr) {
    long size = PER_EXPRESSION;
    for (PrimExpr operand : expr.operands()) {
      size += of(operand);
    }
    return size;
  }

  /** Whether statements can be in methods of their own: they do not end the kernel. */
  public static boolean canSplit(List<Node> nodes) {
    return nodes.stream().noneMatch(CodeSize::ends);
  }

  private static boolean ends(Node node) {
    return node instanceof Node.Result || node.children().stream().anyMatch(CodeSize::ends);
  }
}
