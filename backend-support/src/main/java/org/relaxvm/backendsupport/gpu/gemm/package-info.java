/**
 * Large GEMMs for devices with many registers, copies that run beside the work, and tensor cores.
 */
@NullMarked
package org.relaxvm.backendsupport.gpu.gemm;

import org.jspecify.annotations.NullMarked;
