package org.relaxvm.vmcore.interp;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.Stream;

/**
 * What a call from outside and all calls nested in it share: one stream per device, opened when
 * first asked for, and the instructions left. Used by one thread.
 */
final class CallScope {
  private final DeviceSet devices;
  private final @Nullable Stream[] streams;
  private long instructionsAtFirst;
  long instructionsLeft;

  CallScope(DeviceSet devices) {
    this.devices = devices;
    this.streams = new Stream[devices.devices().size()];
  }

  void begin(Limits limits) {
    instructionsAtFirst = limits.maxInstructions() > 0 ? limits.maxInstructions() : Long.MAX_VALUE;
    instructionsLeft = instructionsAtFirst;
  }

  /** Instructions executed since the call began; one that the limit refused is none of them. */
  long executedInstructions() {
    return instructionsAtFirst - Math.max(0, instructionsLeft);
  }

  Stream stream(int deviceIndex) {
    int index = devices.resolve(deviceIndex);
    Stream stream = streams[index];
    if (stream == null) {
      stream = devices.borrow(index);
      streams[index] = stream;
    }
    return stream;
  }

  /**
   * Waits for all submitted work and gives the streams back, each even if others fail; a failed
   * stream is closed.
   */
  void end() {
    Throwable failure = null;
    for (int i = 0; i < streams.length; i++) {
      Stream stream = streams[i];
      streams[i] = null;
      if (stream != null) {
        boolean given = false;
        try {
          synchronize(stream);
          devices.giveBack(i, stream);
          given = true;
        } catch (RuntimeException | Error e) {
          failure = FirstFailure.of(failure, e);
        }
        try {
          if (!given) {
            stream.close();
          }
        } catch (RuntimeException | Error e) {
          failure = FirstFailure.of(failure, e);
        }
      }
    }
    FirstFailure.raise(failure);
  }

  /** Waits; the failure is a typed one whatever the device throws. */
  private static void synchronize(Stream stream) {
    try {
      stream.synchronize();
    } catch (RelaxException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new BackendException(
          ErrorKind.INTERNAL,
          "waiting for the work of the call on " + stream.device() + " failed: " + e,
          e);
    }
  }
}
