/** Matrix products in vector code. Start reading at {@code GemmPlan}. */
@NullMarked
package org.relaxvm.backendcpu.vector.gemm;

import org.jspecify.annotations.NullMarked;
