package org.relaxvm.api.spi;

/**
 * A point in a stream's order of work, made by {@link Stream#record()}.
 *
 * <p>Thread-safe. Closing releases what the device holds for it and is required.
 */
public interface Event extends AutoCloseable {
  /** Whether all work before the point is done. Does not block. */
  boolean isComplete();

  /**
   * Blocks until all work before the point is done.
   *
   * @throws org.relaxvm.api.error.BackendException when the device was lost or the work failed
   */
  void await();

  /** Releases what the device holds for this point; closing again does nothing. */
  @Override
  void close();
}
