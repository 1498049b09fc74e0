/** Tests of the OpenCL backend. */
@NullMarked
package org.relaxvm.backendopencl;

import org.jspecify.annotations.NullMarked;
