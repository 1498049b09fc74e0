/** Reductions of float32 in vector code. */
@NullMarked
package org.relaxvm.backendcpu.vector.reduction;

import org.jspecify.annotations.NullMarked;
