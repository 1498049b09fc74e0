package org.relaxvm.backendsupport.profile;

/** A kernel or copy that a device was given, with the times that the device records. */
public interface TimedWork extends AutoCloseable {
  /**
   * Whether it is done and its times are known. Does not block.
   *
   * @throws org.relaxvm.api.error.BackendException when it failed
   */
  boolean isComplete();

  /** When it started, in ticks of the device's clock. Asked only when it is complete. */
  long startTicks();

  /** When it ended, in ticks of the device's clock. Asked only when it is complete. */
  long endTicks();

  /** Releases what the device holds for it; called once, whether it is complete or not. */
  @Override
  void close();
}
