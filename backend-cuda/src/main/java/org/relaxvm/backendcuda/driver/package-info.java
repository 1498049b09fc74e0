/** The calls of CUDA. */
@NullMarked
package org.relaxvm.backendcuda.driver;

import org.jspecify.annotations.NullMarked;
