/**
 * Programs of OpenCL and their kernels: {@link org.relaxvm.backendopencl.program.OpenClProgram}.
 */
@NullMarked
package org.relaxvm.backendopencl.program;

import org.jspecify.annotations.NullMarked;
