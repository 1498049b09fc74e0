package org.relaxvm.interoponnx.convert;

import org.relaxvm.compiler.ir.Expr;

/**
 * The branches of a choice give tensors of different numbers of axes, so that the rest of the graph
 * must be translated for each of them.
 */
final class Split extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The key of the node of the choice, as {@link Scope#key} makes it. */
  final String key;

  /** The node of the choice in messages. */
  final String label;

  final transient Expr condition;

  Split(String key, String label, Expr condition) {
    super("the rest of the graph depends on " + label, null, false, false);
    this.key = key;
    this.label = label;
    this.condition = condition;
  }
}
