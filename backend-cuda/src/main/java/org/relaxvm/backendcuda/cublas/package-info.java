/**
 * GEMMs by cuBLAS and cuBLASLt, where they are installed. Start with {@link
 * org.relaxvm.backendcuda.cublas.CublasWorkers}.
 */
@NullMarked
package org.relaxvm.backendcuda.cublas;

import org.jspecify.annotations.NullMarked;
