package org.relaxvm.backendcpu.jit.build;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.PrimExpr;

/** What expressions and statements read and write. */
final class Dependences {
  private Dependences() {}

  /** Whether an expression reads an element of a buffer. */
  static boolean reads(PrimExpr expr, Buffer buffer) {
    if (expr instanceof BufferLoad load && load.buffer().equals(buffer)) {
      return true;
    }
    for (PrimExpr operand : expr.operands()) {
      if (reads(operand, buffer)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an expression reads memory. */
  static boolean reads(PrimExpr expr) {
    if (expr instanceof BufferLoad) {
      return true;
    }
    for (PrimExpr operand : expr.operands()) {
      if (reads(operand)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a statement reads or writes a buffer. */
  static boolean accesses(Node node, Buffer buffer) {
    if (node instanceof Node.Store store
        && (store.buffer().equals(buffer)
            || store.checks().stream()
                .anyMatch(
                    check -> reads(check.index(), buffer) || reads(check.extent(), buffer)))) {
      return true;
    }
    boolean isTile =
        node instanceof Node.Transpose tile
            && (tile.from().equals(buffer) || tile.to().equals(buffer));
    return isTile
        || node.exprs().stream().anyMatch(expr -> reads(expr, buffer))
        || node.children().stream().anyMatch(child -> accesses(child, buffer));
  }

  /** The buffers that a statement writes. */
  static Set<Buffer> written(Node node) {
    Set<Buffer> found = Collections.newSetFromMap(new IdentityHashMap<>());
    collect(node, found);
    return found;
  }

  private static void collect(Node node, Set<Buffer> found) {
    switch (node) {
      case Node.Store store -> found.add(store.buffer());
      case Node.Transpose transpose -> found.add(transpose.to());
      case Node.Apply apply -> found.addAll(apply.args());
      default -> {}
    }
    node.children().forEach(child -> collect(child, found));
  }
}
