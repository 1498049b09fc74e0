package acme;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.host.HostStream;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Stream;

/** A device whose memory is an array that only its own kernels see. */
final class AcmeDevice extends Device {
  final AtomicInteger liveBlocks = new AtomicInteger();

  AcmeDevice() {
    super(DeviceId.parse("acme:0"));
  }

  record Block(float[] content) implements DeviceMemory {
    @Override
    public long byteSize() {
      return 4L * content.length;
    }

    MemorySegment segment() {
      return MemorySegment.ofArray(content);
    }
  }

  @Override
  public DeviceProperties properties() {
    return new DeviceProperties("acme", 0, 4, Long.MAX_VALUE, Map.of());
  }

  @Override
  public Stream openStream() {
    return new HostStream(this);
  }

  @Override
  protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
    liveBlocks.incrementAndGet();
    return new Block(new float[(int) ((byteSize + 3) / 4)]);
  }

  @Override
  protected void doFree(DeviceMemory memory) {
    liveBlocks.decrementAndGet();
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

  @Override
  public void close() {}

  private static MemorySegment segment(DeviceMemory memory) {
    return ((Block) memory).segment();
  }
}
