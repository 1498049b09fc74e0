/**
 * Kernels as plain loops over flat memory: the form between kernel IR and JVM instructions. {@link
 * org.relaxvm.backendcpu.codegen.loops.Lowering} makes it.
 */
@NullMarked
package org.relaxvm.backendcpu.codegen.loops;

import org.jspecify.annotations.NullMarked;
