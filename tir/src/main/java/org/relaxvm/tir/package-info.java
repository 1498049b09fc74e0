/**
 * Kernel IR: a kernel as loops over buffers of symbolic shape, as Apache TVM's TIR has it. {@link
 * org.relaxvm.tir.PrimFunc} is where to start reading. Not here: how a device runs kernels.
 *
 * <p>Source: docs/spec/relax-ir.md, sections 2 and 3.
 */
@NullMarked
package org.relaxvm.tir;

import org.jspecify.annotations.NullMarked;
