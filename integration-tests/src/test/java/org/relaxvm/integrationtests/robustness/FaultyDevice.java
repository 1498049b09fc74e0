package org.relaxvm.integrationtests.robustness;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;
import org.relaxvm.backendtestkit.reference.ReferenceStream;

/** The reference device, whose every operation may fail. */
final class FaultyDevice extends ReferenceDevice {
  private final Faults faults;
  private final Module library;
  private final AtomicInteger openStreams = new AtomicInteger();

  FaultyDevice(DeviceId id, Faults faults) {
    super(id);
    this.faults = faults;
    this.library = faults.around(super.library());
  }

  /** Streams that were opened and not closed. */
  int openStreams() {
    return openStreams.get();
  }

  @Override
  public Module library() {
    return library;
  }

  @Override
  public Stream openStream() {
    faults.step("opening a stream");
    openStreams.incrementAndGet();
    return new FaultyStream(this);
  }

  @Override
  protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
    faults.step("allocating " + byteSize + " bytes");
    return super.doAllocate(byteSize, alignment, scope);
  }

  @Override
  protected void doFree(DeviceMemory memory) {
    super.doFree(memory);
    faults.step("after freeing");
  }

  @Override
  protected void doCopyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {
    faults.step("copying in");
    super.doCopyIn(source, target, offset, stream);
  }

  @Override
  protected void doCopyOut(DeviceMemory source, long offset, MemorySegment target, Stream stream) {
    faults.step("copying out");
    super.doCopyOut(source, offset, target, stream);
  }

  private final class FaultyStream extends ReferenceStream {
    private boolean open = true;

    FaultyStream(ReferenceDevice device) {
      super(device);
    }

    @Override
    protected void submit(Runnable work) {
      faults.step("submitting work");
      super.submit(
          () -> {
            faults.step("submitted work");
            work.run();
          });
    }

    @Override
    public void synchronize() {
      faults.step("synchronizing");
      super.synchronize();
    }

    @Override
    public Event record() {
      faults.step("recording an event");
      return super.record();
    }

    @Override
    public void waitFor(Event event) {
      faults.step("waiting for an event");
      super.waitFor(event);
    }

    @Override
    public void close() {
      if (open) {
        open = false;
        openStreams.decrementAndGet();
      }
      super.close();
      faults.step("after closing a stream");
    }
  }
}
