/**
 * The host CPU as a backend: one device over host memory, and its kernel library. Start at {@link
 * org.relaxvm.backendcpu.CpuBackendProvider}; the kernels are in the packages below.
 */
@NullMarked
package org.relaxvm.backendcpu;

import org.jspecify.annotations.NullMarked;
