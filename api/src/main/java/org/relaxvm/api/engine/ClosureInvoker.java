package org.relaxvm.api.engine;

import org.relaxvm.api.PackedFunc;

/**
 * Marks the packed function {@code (context, callable, args...)} that calls its second argument
 * with those after it: {@code vm.builtin.invoke_closure}. An engine that sees the mark may make the
 * call itself, without growing the Java stack; {@link #call} serves every other caller.
 *
 * <p>Source: docs/spec/vm-semantics.md, section 5.
 */
public interface ClosureInvoker extends PackedFunc {}
