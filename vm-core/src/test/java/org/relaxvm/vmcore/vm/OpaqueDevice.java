package org.relaxvm.vmcore.vm;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostStream;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.Stream;

/**
 * A device whose memory only it understands, with a library of one kernel; counts what it gives.
 */
final class OpaqueDevice extends Device {
  final AtomicInteger blocks = new AtomicInteger();
  final AtomicInteger streams = new AtomicInteger();
  final AtomicInteger opened = new AtomicInteger();
  final AtomicInteger synchronizations = new AtomicInteger();
  volatile boolean lost;

  OpaqueDevice() {
    super(new DeviceId("opaque", 0));
  }

  @Override
  public DeviceProperties properties() {
    return new DeviceProperties("test device", 0, 64, Long.MAX_VALUE, Map.of());
  }

  @Override
  public Module library() {
    PackedFunc kernel = (_, result) -> result.set("opaque kernel");
    return Module.of("library of opaque:0", Map.of("relaxvm.probe", kernel));
  }

  @Override
  public Stream openStream() {
    streams.incrementAndGet();
    opened.incrementAndGet();
    return new CountedStream(new HostStream(this));
  }

  private record Block(byte[] bytes) implements DeviceMemory {
    @Override
    public long byteSize() {
      return bytes.length;
    }
  }

  @Override
  protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
    blocks.incrementAndGet();
    return new Block(new byte[(int) byteSize]);
  }

  @Override
  protected void doFree(DeviceMemory memory) {
    blocks.decrementAndGet();
  }

  @Override
  protected void doCopyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {
    MemorySegment.copy(source, 0, segment(target), offset, source.byteSize());
  }

  @Override
  protected void doCopyOut(DeviceMemory source, long offset, MemorySegment target, Stream stream) {
    MemorySegment.copy(segment(source), offset, target, 0, target.byteSize());
  }

  @Override
  protected void doCopyWithin(
      DeviceMemory source,
      long sourceOffset,
      DeviceMemory target,
      long targetOffset,
      long byteSize,
      Stream stream) {
    MemorySegment.copy(segment(source), sourceOffset, segment(target), targetOffset, byteSize);
  }

  private static MemorySegment segment(DeviceMemory memory) {
    return MemorySegment.ofArray(((Block) memory).bytes());
  }

  @Override
  public void close() {}

  private final class CountedStream implements Stream {
    private final Stream inner;

    CountedStream(Stream inner) {
      this.inner = inner;
    }

    @Override
    public Device device() {
      return OpaqueDevice.this;
    }

    @Override
    public void synchronize() {
      synchronizations.incrementAndGet();
      if (lost) {
        throw new BackendException(ErrorKind.RUNTIME, "device opaque:0 is lost");
      }
    }

    @Override
    public Event record() {
      return inner.record();
    }

    @Override
    public void waitFor(Event event) {
      event.await();
    }

    @Override
    public void close() {
      streams.decrementAndGet();
    }
  }
}
