/**
 * Launches of kernels, read from the arguments of calls: what is the same for every kind of GPU.
 * Start with {@link org.relaxvm.backendsupport.launch.KernelArguments}.
 */
@NullMarked
package org.relaxvm.backendsupport.launch;

import org.jspecify.annotations.NullMarked;
