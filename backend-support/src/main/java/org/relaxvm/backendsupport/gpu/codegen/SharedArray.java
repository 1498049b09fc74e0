package org.relaxvm.backendsupport.gpu.codegen;

import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.GpuLimits;

/**
 * An array that the work-items of a work-group share.
 *
 * @param size in elements
 * @param stored whether elements lie there as in memory of the device, and not as values to compute
 *     with
 */
public record SharedArray(String name, DType dtype, long size, boolean stored) {
  /** What vectors of elements start at a multiple of. */
  private static final long ALIGNMENT = 16;

  /** Its bytes. */
  public long byteSize() {
    return size * (stored ? dtype.elementByteSize() : GpuLimits.localBytes(dtype));
  }

  /** Its bytes in a row of arrays each of which is aligned for vectors. */
  public long alignedByteSize() {
    return (byteSize() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
}
