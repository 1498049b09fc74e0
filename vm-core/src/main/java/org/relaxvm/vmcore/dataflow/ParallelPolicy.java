package org.relaxvm.vmcore.dataflow;

/**
 * How many independent calls run at the same time, and when.
 *
 * @param workers the number of calls at most; 1 executes in program order
 * @param isMeasured whether a region runs in parallel only where that is measured to be faster
 * @param ordersAllocations whether allocations wait for all earlier releases, so that the memory in
 *     use never exceeds that of execution in program order
 * @param usesStreams whether independent calls go to different streams of a device, and not to
 *     different threads
 */
public record ParallelPolicy(
    int workers, boolean isMeasured, boolean ordersAllocations, boolean usesStreams) {
  /** Executes in program order. */
  public static final ParallelPolicy SERIAL = new ParallelPolicy(1, true, false, false);

  /** The same policy for memory that has a budget. */
  public ParallelPolicy withOrderedAllocations() {
    return new ParallelPolicy(workers, isMeasured, true, usesStreams);
  }

  /** The same policy for programs with devices other than the host. */
  public ParallelPolicy withStreams() {
    return new ParallelPolicy(workers, isMeasured, ordersAllocations, true);
  }
}
