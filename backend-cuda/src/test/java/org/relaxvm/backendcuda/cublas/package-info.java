/** Tests with a library that multiplies on the host. */
@NullMarked
package org.relaxvm.backendcuda.cublas;

import org.jspecify.annotations.NullMarked;
