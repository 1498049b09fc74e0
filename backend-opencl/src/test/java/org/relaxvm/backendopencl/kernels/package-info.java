/** The text of kernels. */
@NullMarked
package org.relaxvm.backendopencl.kernels;

import org.jspecify.annotations.NullMarked;
