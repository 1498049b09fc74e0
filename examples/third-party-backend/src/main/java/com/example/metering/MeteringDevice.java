package com.example.metering;

import com.example.metering.Meter.Activity;
import com.example.metering.kernels.MeteringKernels;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostStream;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device with 256 MiB of memory that counts what is done on it. {@link #meter()} has the counts;
 * closing the device logs them at level info.
 *
 * <p>Everything is done at once, in the thread that asks for it. Thread-safe.
 */
public final class MeteringDevice extends Device {
  private static final long CAPACITY = 256L << 20;

  private final Logger log = LoggerFactory.getLogger(MeteringDevice.class);
  private final Meter meter = new Meter();
  private final AtomicLong liveBytes = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Module library;

  MeteringDevice(DeviceId id) {
    super(id);
    library =
        MeteringKernels.library(
            this, this::bytes, operations -> meter.count(Activity.KERNEL, operations));
  }

  /** What was done on this device so far; also after it was closed. */
  public Meter meter() {
    return meter;
  }

  /** Bytes of all blocks that were not freed. */
  public long liveBytes() {
    return liveBytes.get();
  }

  @Override
  public DeviceProperties properties() {
    return new DeviceProperties(
        "counts copies and operations",
        CAPACITY,
        1,
        CAPACITY,
        Map.of("counts", "logged by " + log.getName() + " at info when the device closes"));
  }

  @Override
  public Module library() {
    return library;
  }

  @Override
  public Stream openStream() {
    requireOpen();
    return new HostStream(this);
  }

  @Override
  protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
    requireOpen();
    if (!scope.isEmpty() && !scope.equals("global")) {
      throw new BackendException(
          ErrorKind.VALUE, this + " has no scope '" + scope + "', only 'global'");
    }
    long before = liveBytes.getAndUpdate(live -> fits(live, byteSize) ? live + byteSize : live);
    if (!fits(before, byteSize)) {
      throw new DeviceOutOfMemoryException(
          byteSize,
          String.format(
              "%s cannot allocate %d bytes: %d of %d are in use", this, byteSize, before, CAPACITY),
          null);
    }
    MeteringMemory memory = new MeteringMemory(this, (int) byteSize);
    meter.count(Activity.ALLOCATION, byteSize);
    return memory;
  }

  private static boolean fits(long live, long byteSize) {
    return byteSize <= CAPACITY - live;
  }

  @Override
  protected void doFree(DeviceMemory memory) {
    MeteringMemory own = own(memory);
    if (!own.free()) {
      throw freed(own);
    }
    liveBytes.addAndGet(-own.byteSize());
    meter.count(Activity.FREE, own.byteSize());
  }

  @Override
  protected void doCopyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {
    MemorySegment.copy(source, 0, bytes(target), offset, source.byteSize());
    meter.count(Activity.COPY_IN, source.byteSize());
  }

  @Override
  protected void doCopyOut(DeviceMemory source, long offset, MemorySegment target, Stream stream) {
    MemorySegment.copy(bytes(source), offset, target, 0, target.byteSize());
    meter.count(Activity.COPY_OUT, target.byteSize());
  }

  @Override
  protected void doCopyWithin(
      DeviceMemory source,
      long sourceOffset,
      DeviceMemory target,
      long targetOffset,
      long byteSize,
      Stream stream) {
    MemorySegment.copy(bytes(source), sourceOffset, bytes(target), targetOffset, byteSize);
    meter.count(Activity.COPY_WITHIN, byteSize);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      log.info("{}: {}", this, meter.report());
    }
  }

  /** The bytes of a block of this device that is in use. */
  private MemorySegment bytes(DeviceMemory memory) {
    requireOpen();
    MeteringMemory own = own(memory);
    if (own.isFreed()) {
      throw freed(own);
    }
    return own.bytes();
  }

  private BackendException freed(MeteringMemory memory) {
    return new BackendException(
        ErrorKind.VALUE, "a block of " + memory.byteSize() + " bytes on " + this + " was freed");
  }

  private MeteringMemory own(DeviceMemory memory) {
    if (memory instanceof MeteringMemory own && own.owner.equals(this)) {
      return own;
    }
    throw new BackendException(
        ErrorKind.TYPE, "expected a block of " + this + ", but got " + memory);
  }

  private void requireOpen() {
    if (closed.get()) {
      throw new BackendException(
          ErrorKind.VALUE, "device " + this + " is closed: it cannot be used any more");
    }
  }
}
