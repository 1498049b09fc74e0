/**
 * The functions that compiled programs call by name: {@code vm.builtin.*} and the {@code
 * relax.run.*} helpers, as Apache TVM's Relax VM has them.
 *
 * <p>One family per class; {@link org.relaxvm.builtins.BuiltinFunctions} offers them all and is
 * where to start reading. {@code docs/builtins.md} lists every function. Not here: the
 * language-model groups (KV caches, RNN state, sampling) and RPC.
 */
@NullMarked
package org.relaxvm.builtins;

import org.jspecify.annotations.NullMarked;
