package org.relaxvm.api.spi;

/**
 * An ordered queue of work on one device: copies and kernels submitted to a stream take effect in
 * the order of submission. Work on different streams is ordered only through events.
 *
 * <p>The VM uses one stream per device for each call that is under way, so that concurrent calls do
 * not wait for each other. Results on the host are read only after {@link #synchronize()}.
 *
 * <p>Threads: a stream is used by one thread at a time.
 */
public interface Stream extends AutoCloseable {
  /** The device whose work this stream orders. */
  Device device();

  /**
   * Blocks until everything submitted so far is done.
   *
   * @throws org.relaxvm.api.error.BackendException when submitted work failed or the device is lost
   */
  void synchronize();

  /**
   * Marks the current end of the queue; the caller closes the event. An allocator calls this from
   * any thread, also after {@link #close()}: the event is then complete.
   */
  Event record();

  /** Makes work submitted from now on wait for a point of another stream of the same device. */
  void waitFor(Event event);

  /** Waits for submitted work and gives the queue back; closing again does nothing. */
  @Override
  void close();
}
