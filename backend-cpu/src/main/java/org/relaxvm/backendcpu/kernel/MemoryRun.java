package org.relaxvm.backendcpu.kernel;

/** Computes elements of a run where they lie, where there is code for it. */
@FunctionalInterface
interface MemoryRun {
  /**
   * Computes the first elements.
   *
   * @param at where the run begins in each operand, in bytes
   * @return how many elements are done
   */
  int apply(long[] at, int count);
}
