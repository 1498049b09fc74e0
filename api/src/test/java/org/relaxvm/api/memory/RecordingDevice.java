package org.relaxvm.api.memory;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;

/** A device with streams and a fixed amount of memory, which writes down what is asked of it. */
final class RecordingDevice extends Device {
  final List<String> log = new ArrayList<>();
  private final long capacity;
  private long used;
  private int blocks;
  private int streams;
  private boolean lost;
  private long unit = 1;

  RecordingDevice(long capacity) {
    super(new DeviceId("fake", 0));
    this.capacity = capacity;
  }

  record Block(int number, long byteSize) implements DeviceMemory {}

  record RecordingStream(RecordingDevice device, int number) implements Stream {
    @Override
    public void synchronize() {}

    @Override
    public Event record() {
      device.log.add("record " + number);
      return new RecordingEvent(device, number);
    }

    @Override
    public void waitFor(Event event) {
      device.requireSound();
      device.log.add(number + " waits for " + ((RecordingEvent) event).stream);
    }

    @Override
    public void close() {}
  }

  private record RecordingEvent(RecordingDevice device, int stream) implements Event {
    @Override
    public boolean isComplete() {
      return false;
    }

    @Override
    public void await() {
      device.requireSound();
      device.log.add("await " + stream);
    }

    @Override
    public void close() {
      device.log.add("close event " + stream);
    }
  }

  /** From now on work that was submitted fails, and allocating fails in another way. */
  void lose() {
    lost = true;
  }

  /** Gives only multiples of so many bytes from now on. */
  void roundUpTo(long bytes) {
    unit = bytes;
  }

  private void requireSound() {
    if (lost) {
      throw new BackendException(ErrorKind.RUNTIME, "the fake device is lost");
    }
  }

  long used() {
    return used;
  }

  @Override
  public DeviceProperties properties() {
    return new DeviceProperties("fake", capacity, 64, capacity, Map.of());
  }

  @Override
  public Stream openStream() {
    return new RecordingStream(this, ++streams);
  }

  @Override
  protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
    if (lost) {
      throw new IllegalStateException("the driver is gone");
    }
    if (byteSize > capacity - used) {
      log.add("refuse " + byteSize);
      throw new DeviceOutOfMemoryException(byteSize, "the fake device is full", null);
    }
    long given = (byteSize + unit - 1) / unit * unit;
    used += given;
    log.add("allocate " + byteSize + (scope.isEmpty() ? "" : " " + scope));
    return new Block(++blocks, given);
  }

  @Override
  protected void doFree(DeviceMemory memory) {
    used -= memory.byteSize();
    log.add("free " + memory.byteSize());
  }

  @Override
  protected void doCopyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {
    throw new UnsupportedOperationException("this device only allocates");
  }

  @Override
  protected void doCopyOut(DeviceMemory source, long offset, MemorySegment target, Stream stream) {
    throw new UnsupportedOperationException("this device only allocates");
  }

  @Override
  protected void doCopyWithin(
      DeviceMemory source,
      long sourceOffset,
      DeviceMemory target,
      long targetOffset,
      long byteSize,
      Stream stream) {
    throw new UnsupportedOperationException("this device only allocates");
  }

  @Override
  public void close() {}
}
