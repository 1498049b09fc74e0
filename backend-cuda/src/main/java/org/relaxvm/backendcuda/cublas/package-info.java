/** Products of matrices by cuBLAS, where it is installed. */
@NullMarked
package org.relaxvm.backendcuda.cublas;

import org.jspecify.annotations.NullMarked;
