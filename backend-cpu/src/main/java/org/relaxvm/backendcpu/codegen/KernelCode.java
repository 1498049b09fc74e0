package org.relaxvm.backendcpu.codegen;

/** What generated classes extend. Instances have no state, so that calls may share them. */
public abstract class KernelCode {
  /** For generated classes. */
  protected KernelCode() {}

  /** Runs the kernel. */
  public abstract void run(KernelFrame frame);

  /**
   * Runs iterations of a parallel loop.
   *
   * @param number of the loop
   * @param frame of the calling thread
   * @param from the first value of the counter
   * @param to one past the last
   */
  public void part(int number, KernelFrame frame, long from, long to) {
    throw new IllegalStateException("this kernel has no part " + number);
  }
}
