package org.relaxvm.tir.eval;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.host.HostStream;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Stream;

/** A device out of the host's reach, whose memory holds nothing. */
final class FarDevice extends Device {
  private record Block(long byteSize) implements DeviceMemory {}

  FarDevice() {
    super(DeviceId.parse("cuda:0"));
  }

  @Override
  public DeviceProperties properties() {
    return new DeviceProperties("far", 1 << 20, 64, 1 << 20, Map.of());
  }

  @Override
  public Stream openStream() {
    return new HostStream(this);
  }

  @Override
  protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
    return new Block(byteSize);
  }

  @Override
  protected void doFree(DeviceMemory memory) {}

  @Override
  protected void doCopyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {
    throw new UnsupportedOperationException();
  }

  @Override
  protected void doCopyOut(DeviceMemory source, long offset, MemorySegment target, Stream stream) {
    throw new UnsupportedOperationException();
  }

  @Override
  protected void doCopyWithin(
      DeviceMemory source,
      long sourceOffset,
      DeviceMemory target,
      long targetOffset,
      long byteSize,
      Stream stream) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
