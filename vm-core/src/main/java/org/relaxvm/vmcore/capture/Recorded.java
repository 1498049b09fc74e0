package org.relaxvm.vmcore.capture;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Value;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.spi.CapturedWork;
import org.relaxvm.api.spi.Stream;

/** A recording with the stream and the memory of its recorder. */
final class Recorded implements VmContext.Recording {
  private final Recorder recorder;
  private final CapturedWork work;
  private final Value result;
  private boolean closed;

  Recorded(Recorder recorder, CapturedWork work, Value result) {
    this.recorder = recorder;
    this.work = work;
    this.result = result;
  }

  @Override
  public @Nullable Object result() {
    return result.object();
  }

  @Override
  public int size() {
    return work.size();
  }

  @Override
  public void submit(Stream stream) {
    work.submit(stream);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Recorder.runAll(List.of(work::close, result::close, recorder::giveBack));
    }
  }
}
