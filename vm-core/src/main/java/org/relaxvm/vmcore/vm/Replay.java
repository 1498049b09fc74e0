package org.relaxvm.vmcore.vm;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.spi.Stream;

/** How a captured call is made again. Used by one thread at a time. */
interface Replay extends AutoCloseable {
  /** Makes the call again and waits for it. */
  void run();

  /** The result, borrowed; the same tensors each time, with the content of the last run. */
  @Nullable Object result();

  /** How many kernels and copies were recorded. */
  int size();

  /** Releases what is held for it. */
  @Override
  void close();

  /** Submits recorded work to the stream on which it was recorded, which the recording closes. */
  record Recorded(VmContext.Recording recording, Stream stream) implements Replay {
    @Override
    public void run() {
      recording.submit(stream);
      stream.synchronize();
    }

    @Override
    public @Nullable Object result() {
      return recording.result();
    }

    @Override
    public int size() {
      return recording.size();
    }

    @Override
    public void close() {
      recording.close();
    }
  }
}
