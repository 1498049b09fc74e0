package org.relaxvm.builtins.fakes;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.host.HostStream;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Stream;

/** A device whose memory the host cannot see but by copies. */
public final class FakeGpu extends Device {
  public FakeGpu(String kind, int ordinal) {
    super(new DeviceId(kind, ordinal));
  }

  private record Block(byte[] bytes) implements DeviceMemory {
    @Override
    public long byteSize() {
      return bytes.length;
    }
  }

  @Override
  public DeviceProperties properties() {
    return new DeviceProperties("fake", 0, 64, Long.MAX_VALUE, Map.of());
  }

  @Override
  public Stream openStream() {
    return new HostStream(this);
  }

  @Override
  protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
    return new Block(new byte[Math.toIntExact(byteSize)]);
  }

  @Override
  protected void doFree(DeviceMemory memory) {}

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
    return MemorySegment.ofArray(((Block) memory).bytes());
  }
}
