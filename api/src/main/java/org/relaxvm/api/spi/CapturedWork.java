package org.relaxvm.api.spi;

/**
 * Work of a device that was recorded; see {@link CapturingStream}. It is submitted by one thread at
 * a time, as often as wanted, also once the stream on which it was recorded is closed.
 */
public interface CapturedWork extends AutoCloseable {
  /** How many kernels and copies it does. */
  int size();

  /**
   * Enqueues all of it and does not wait for it: it is done after what the stream was given before,
   * in the order in which it was recorded.
   *
   * @param stream of the same device, one that does not record
   */
  void submit(Stream stream);

  /** Gives the recording back once submitted work is done; closing again does nothing. */
  @Override
  void close();
}
