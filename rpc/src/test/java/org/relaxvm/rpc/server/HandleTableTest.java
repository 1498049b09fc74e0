package org.relaxvm.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.rpc.wire.OpaquePointer;
import org.relaxvm.rpc.wire.PacketCode;
import org.relaxvm.rpc.wire.WireDevice;

/** A stream is used with its own device only, and not after it was freed. */
class HandleTableTest {
  private static final WireDevice FIRST = new WireDevice(7, 0);
  private static final WireDevice SECOND = new WireDevice(7, 1);

  /** A device that has streams and nothing else. */
  private static final class Streams extends Device {
    Streams(String kind, int number) {
      super(new DeviceId(kind, number));
    }

    @Override
    public DeviceProperties properties() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Stream openStream() {
      Device device = this;
      return new Stream() {
        @Override
        public Device device() {
          return device;
        }

        @Override
        public void synchronize() {}

        @Override
        public Event record() {
          throw new UnsupportedOperationException();
        }

        @Override
        public void waitFor(Event event) {}

        @Override
        public void close() {}
      };
    }

    @Override
    protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected void doFree(DeviceMemory memory) {}

    @Override
    protected void doCopyIn(
        MemorySegment source, DeviceMemory target, long offset, Stream stream) {}

    @Override
    protected void doCopyOut(
        DeviceMemory source, long offset, MemorySegment target, Stream stream) {}

    @Override
    protected void doCopyWithin(
        DeviceMemory source,
        long sourceOffset,
        DeviceMemory target,
        long targetOffset,
        long byteSize,
        Stream stream) {}

    @Override
    public void close() {}
  }

  @Test
  void aStreamIsOneOfItsDevice() {
    List<Device> all =
        List.of(new Streams("vulkan", 0), new Streams("vulkan", 1), new Streams("metal", 0));
    try (SessionDevices devices = new SessionDevices(all, 1, name -> Optional.empty())) {
      HandleTable handles = new HandleTable(10);
      SystemCalls calls =
          new SystemCalls(
              handles,
              devices,
              new SessionValues(handles, devices, program -> Module.of("none", Map.of())),
              name -> Optional.empty());
      Object made = calls.call(PacketCode.DEV_CREATE_STREAM, new Object[] {FIRST});
      for (PacketCode code :
          List.of(
              PacketCode.DEV_SET_STREAM, PacketCode.DEV_FREE_STREAM, PacketCode.DEV_STREAM_SYNC)) {
        assertThatThrownBy(() -> calls.call(code, new Object[] {SECOND, made}))
            .isInstanceOf(CallException.class)
            .hasMessage(
                "0x1000 is no handle of a stream of vulkan:1 of this session: it was freed, or this"
                    + " session never gave it out");
      }
      calls.call(PacketCode.DEV_SET_STREAM, new Object[] {FIRST, made});
      calls.call(PacketCode.DEV_FREE_STREAM, new Object[] {FIRST, made});
      assertThat(calls.call(PacketCode.DEV_GET_CURRENT_STREAM, new Object[] {FIRST}))
          .isEqualTo(OpaquePointer.NULL);
    }
  }
}
