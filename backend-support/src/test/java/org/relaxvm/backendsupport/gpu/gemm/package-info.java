/** Tests of large GEMMs. */
@NullMarked
package org.relaxvm.backendsupport.gpu.gemm;

import org.jspecify.annotations.NullMarked;
