package org.relaxvm.api.engine;

import org.relaxvm.api.PackedFunc;

/**
 * Marks a packed function that returns its only argument, or null when it has none, and does
 * nothing else: {@code vm.builtin.copy} and {@code vm.builtin.null_value}. An engine that sees the
 * mark may move the register itself; {@link #call} serves every other caller, and every call with
 * another number of arguments.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why are `copy` and `null_value` not called?"
 */
public interface RegisterMove extends PackedFunc {
  /** The number of arguments: 1 for a function that gives its argument back, 0 for null. */
  int argumentCount();
}
