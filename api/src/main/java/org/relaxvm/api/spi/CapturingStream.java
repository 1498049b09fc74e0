package org.relaxvm.api.spi;

/**
 * A stream whose device can record work once, and do all of it again at one demand.
 *
 * <p>While it records, copies within the device and kernels are recorded and not done. What needs
 * the host in between cannot be recorded: copies to and from the host, {@link #synchronize}, {@link
 * #record} and {@link #waitFor}; each of them fails with an error that says so, and what was
 * recorded is then of no use.
 *
 * <p>Addresses of blocks and numbers are those of the recording. Who records keeps the blocks until
 * the recording is closed.
 *
 * <p>Only this stream records: meanwhile blocks are allocated and freed, and other streams of the
 * device are opened, used and waited for, by the recording thread and by others. A kernel may be
 * called for the first time while it is recorded. Closing the stream drops a recording that has not
 * ended. After a recording, ended or failed, the stream works as before it.
 */
public interface CapturingStream extends Stream {
  /**
   * Records what is submitted from now on.
   *
   * @throws org.relaxvm.api.error.BackendException when it records already
   */
  void beginCapture();

  /**
   * Ends the recording, also one that failed.
   *
   * @return what was recorded; the caller closes it
   * @throws org.relaxvm.api.error.BackendException when something that cannot be recorded was
   *     submitted, with what it was, or when nothing was begun
   */
  CapturedWork endCapture();
}
