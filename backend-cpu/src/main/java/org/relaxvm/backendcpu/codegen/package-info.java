/**
 * Kernels of the kernel IR as JVM classes that are generated when a program is loaded. {@link
 * org.relaxvm.backendcpu.codegen.KernelCompiler} is where to start reading.
 */
@NullMarked
package org.relaxvm.backendcpu.codegen;

import org.jspecify.annotations.NullMarked;
