package org.relaxvm.backendcpu.jit.build;

import java.util.List;
import org.relaxvm.backendcpu.codegen.loops.LoopProgram;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.backendcpu.codegen.loops.Promotion;
import org.relaxvm.tir.expr.BufferLoad;

/** Finds elements that several statements of a sequence write. */
final class Rewrites {
  private Rewrites() {}

  /**
   * The elements that a sequence writes more than once, and accesses by no other index.
   *
   * @param width how many elements a statement accesses at once
   */
  static List<BufferLoad> of(LoopProgram program, Node.Sequence sequence, int width) {
    if (!hasSeveralStores(sequence)) {
      return List.of();
    }
    return Promotion.inStatement(program, sequence, width).stream()
        .filter(element -> writes(sequence, element) > 1)
        .toList();
  }

  private static boolean hasSeveralStores(Node.Sequence sequence) {
    long stores =
        sequence.nodes().stream()
            .filter(node -> node instanceof Node.Store || node instanceof Node.Loop)
            .count();
    return stores > 1 && sequence.nodes().stream().anyMatch(Node.Store.class::isInstance);
  }

  /** How often an element is written; in a loop, often. */
  private static int writes(Node node, BufferLoad element) {
    if (node instanceof Node.Store store) {
      return isElement(store, element) ? 1 : 0;
    }
    int inside = node.children().stream().mapToInt(child -> writes(child, element)).sum();
    return node instanceof Node.Loop ? 2 * inside : inside;
  }

  private static boolean isElement(Node.Store store, BufferLoad element) {
    return store.buffer().equals(element.buffer())
        && store.index().equals(element.indices().getFirst());
  }

  /** Whether the first access of an element needs what is in memory. */
  static boolean readFirst(Node.Sequence sequence, BufferLoad element) {
    for (Node node : sequence.nodes()) {
      if (node instanceof Node.Store store && isElement(store, element)) {
        return Dependences.reads(store.value(), element.buffer());
      }
      if (Dependences.accesses(node, element.buffer())) {
        return true;
      }
    }
    return true;
  }
}
