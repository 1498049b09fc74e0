/** Tests of the CUDA backend in JVMs of their own. */
@NullMarked
package org.relaxvm.backendcuda.process;

import org.jspecify.annotations.NullMarked;
