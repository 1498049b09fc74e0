package org.relaxvm.api.spi;

/**
 * A snapshot of an allocator's counters, in bytes where not said otherwise. Taken while other
 * threads allocate, the figures may be a moment apart.
 *
 * @param liveBytes bytes of blocks in use, as rounded up by the allocator
 * @param reservedBytes bytes held from the device, in use and idle
 * @param peakReservedBytes the most that was ever held
 * @param budgetBytes the most that may be held; {@link Long#MAX_VALUE} when not limited
 * @param allocations number of allocations so far
 * @param deviceAllocations number of them that the device had to serve
 * @param liveBlocks number of blocks in use
 */
public record AllocatorStats(
    long liveBytes,
    long reservedBytes,
    long peakReservedBytes,
    long budgetBytes,
    long allocations,
    long deviceAllocations,
    long liveBlocks) {
  /** Bytes held from the device without use. */
  public long idleBytes() {
    return Math.max(0, reservedBytes - liveBytes);
  }
}
