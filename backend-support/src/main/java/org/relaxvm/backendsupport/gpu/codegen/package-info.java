/**
 * Prints scheduled kernels as source code of the C family of languages. Start at {@link
 * org.relaxvm.backendsupport.gpu.codegen.KernelSource}.
 */
@NullMarked
package org.relaxvm.backendsupport.gpu.codegen;

import org.jspecify.annotations.NullMarked;
