/**
 * Launches kernels that RelaxVM did not generate, from the arguments of a call. Start at {@link
 * org.relaxvm.backendsupport.gpu.foreign.KernelArguments}.
 */
@NullMarked
package org.relaxvm.backendsupport.gpu.foreign;

import org.jspecify.annotations.NullMarked;
