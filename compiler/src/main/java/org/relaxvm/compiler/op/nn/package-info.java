/**
 * Operators of neural networks: convolutions, pooling, normalizations, softmax, losses, padding and
 * attention. Each family class has the definitions and, for people, functions that make calls.
 *
 * <p>Rules refuse only what is certainly wrong. Kernels are those of {@code org.relaxvm.tir.op}.
 * Source: docs/spec/op-set.md, sections 2.8 and 3.
 */
@NullMarked
package org.relaxvm.compiler.op.nn;

import org.jspecify.annotations.NullMarked;
