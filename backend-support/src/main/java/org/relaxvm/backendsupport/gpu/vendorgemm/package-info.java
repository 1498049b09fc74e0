/**
 * GEMM by a library of the device's vendor, such as cuBLAS, instead of generated kernels. Start at
 * {@link org.relaxvm.backendsupport.gpu.vendorgemm.GemmLibrary}.
 */
@NullMarked
package org.relaxvm.backendsupport.gpu.vendorgemm;

import org.jspecify.annotations.NullMarked;
