package org.relaxvm.vmcore.vm;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.spi.Stream;

/**
 * Submits recorded work to the stream on which it was recorded, which the recording closes.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why does each replay return new handles?"
 */
record RecordedReplay(VmContext.Recording recording, Stream stream) implements Replay {
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
