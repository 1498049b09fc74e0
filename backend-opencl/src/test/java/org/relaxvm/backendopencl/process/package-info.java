/** Tests of the OpenCL backend in JVMs of their own. */
@NullMarked
package org.relaxvm.backendopencl.process;

import org.jspecify.annotations.NullMarked;
