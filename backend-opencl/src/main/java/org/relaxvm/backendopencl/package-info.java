/**
 * The OpenCL backend. Start with {@link org.relaxvm.backendopencl.OpenClDevice}; all calls of
 * OpenCL are in the package {@code driver}.
 */
@NullMarked
package org.relaxvm.backendopencl;

import org.jspecify.annotations.NullMarked;
