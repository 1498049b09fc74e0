package org.relaxvm.backendsupport.gpu;

import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * What schedules of kernels have to know of a device. Nothing about a device is assumed elsewhere.
 *
 * @param maxWorkGroupSize most work-items (threads) of a work-group (block), all axes together
 * @param localMemoryBytes memory that the work-items of a work-group share; 0 when there is none
 * @param subgroupSize work-items that run in lockstep, a power of two; 1 when not known
 * @param vectorBytes bytes that one work-item should load or store at once, a power of two; 1 where
 *     a single element is best
 * @param computeUnits work-groups that run at the same time at least, to decide how much work to
 *     split
 * @param gemm what large GEMMs can use besides; empty where nothing is known of it
 */
public record GpuLimits(
    int maxWorkGroupSize,
    long localMemoryBytes,
    int subgroupSize,
    int vectorBytes,
    int computeUnits,
    Optional<GemmLimits> gemm) {
  /** A device of which nothing more is known. */
  public GpuLimits(
      int maxWorkGroupSize,
      long localMemoryBytes,
      int subgroupSize,
      int vectorBytes,
      int computeUnits) {
    this(
        maxWorkGroupSize,
        localMemoryBytes,
        subgroupSize,
        vectorBytes,
        computeUnits,
        Optional.empty());
  }

  /** Checks that all are usable. */
  public GpuLimits {
    if (maxWorkGroupSize < 1
        || localMemoryBytes < 0
        || Integer.bitCount(subgroupSize) != 1
        || Integer.bitCount(vectorBytes) != 1
        || computeUnits < 1) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the limits of a device must be positive, and the subgroup size and the vector bytes"
              + " powers of two, but are "
              + maxWorkGroupSize
              + ", "
              + localMemoryBytes
              + ", "
              + subgroupSize
              + ", "
              + vectorBytes
              + " and "
              + computeUnits);
    }
  }

  /** The largest power of two of work-items that a work-group may have, {@code most} at most. */
  public int workGroupSize(int most) {
    return Integer.highestOneBit(Math.max(1, Math.min(maxWorkGroupSize, most)));
  }

  /**
   * The bytes of an element in shared memory: values lie there as they are computed, in no less
   * than 32 bits, but for arrays with the annotation {@link ScheduleAnnotations#STORED}.
   */
  public static int localBytes(DType dtype) {
    return Math.max(Float.BYTES, dtype.elementByteSize());
  }
}
