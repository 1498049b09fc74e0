package org.relaxvm.vmcore.interp;

import org.jspecify.annotations.Nullable;
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

  /** Waits for all submitted work and gives the streams back; a failed stream is closed. */
  void end() {
    RuntimeException failure = null;
    for (int i = 0; i < streams.length; i++) {
      Stream stream = streams[i];
      if (stream != null) {
        streams[i] = null;
        boolean done = false;
        try {
          stream.synchronize();
          done = true;
        } catch (RuntimeException e) {
          failure = failure == null ? e : failure;
        } finally {
          if (done) {
            devices.giveBack(i, stream);
          } else {
            stream.close();
          }
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
