package org.relaxvm.api.fakes;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.host.HostStream;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Stream;

/** A device whose memory is out of the host's reach but through copies, which it counts. */
public class FakeDevice extends Device {
  /** A block; nobody but the device can look inside. */
  public record Block(byte[] bytes) implements DeviceMemory {
    @Override
    public long byteSize() {
      return bytes.length;
    }
  }

  private int copiesIn;
  private int copiesOut;
  private int copiesWithin;
  private int liveBlocks;

  public FakeDevice(DeviceId id) {
    super(id);
  }

  public FakeDevice(String id) {
    this(DeviceId.parse(id));
  }

  public int copiesIn() {
    return copiesIn;
  }

  public int copiesOut() {
    return copiesOut;
  }

  public int copiesWithin() {
    return copiesWithin;
  }

  public int liveBlocks() {
    return liveBlocks;
  }

  @Override
  public DeviceProperties properties() {
    return new DeviceProperties("fake " + id(), 1 << 20, 64, 1 << 20, Map.of("kind", "fake"));
  }

  @Override
  public Stream openStream() {
    return new HostStream(this);
  }

  @Override
  protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
    liveBlocks++;
    return new Block(new byte[(int) byteSize]);
  }

  @Override
  protected void doFree(DeviceMemory memory) {
    liveBlocks--;
  }

  @Override
  protected void doCopyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {
    copiesIn++;
    MemorySegment.copy(source, 0, segment(target), offset, source.byteSize());
  }

  @Override
  protected void doCopyOut(DeviceMemory source, long offset, MemorySegment target, Stream stream) {
    copiesOut++;
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
    copiesWithin++;
    MemorySegment.copy(segment(source), sourceOffset, segment(target), targetOffset, byteSize);
  }

  @Override
  public void close() {}

  private static MemorySegment segment(DeviceMemory memory) {
    return MemorySegment.ofArray(((Block) memory).bytes());
  }
}
