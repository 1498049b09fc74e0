package org.relaxvm.backendtestkit.reference;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.api.spi.PeerCopy;
import org.relaxvm.api.spi.Stream;

/**
 * A device of the reference backend: 256 MiB of opaque memory, blocks of at most 64 MiB.
 *
 * <p>Thread-safe. Open for extension, so that tests can break it in one place.
 */
public class ReferenceDevice extends Device implements ModuleLoader, PeerCopy {
  /** The most that all blocks together may take, in bytes. */
  public static final long CAPACITY = 256L << 20;

  /** The largest block, in bytes. */
  public static final long LARGEST_BLOCK = 64L << 20;

  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicLong liveBytes = new AtomicLong();
  private final Module library = new ReferenceLibrary(this).module();
  private volatile boolean closed;

  /** Creates the device with its name. */
  public ReferenceDevice(DeviceId id) {
    super(id);
  }

  @Override
  public DeviceProperties properties() {
    return new DeviceProperties(
        "plain Java reference", CAPACITY, 1, LARGEST_BLOCK, Map.of("kernels", "definitions"));
  }

  @Override
  public Module library() {
    return library;
  }

  /** Bytes of all blocks that were not freed. */
  public long liveBytes() {
    return liveBytes.get();
  }

  ReentrantLock lock() {
    return lock;
  }

  /** Refuses everything after {@link #close()}. */
  protected void requireOpen() {
    if (closed) {
      throw new BackendException(
          ErrorKind.VALUE, "device " + this + " is closed: it cannot be used any more");
    }
  }

  @Override
  public Stream openStream() {
    requireOpen();
    return new ReferenceStream(this);
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
          this
              + " cannot allocate "
              + byteSize
              + " bytes: "
              + before
              + " of "
              + CAPACITY
              + " are in use, and a block has at most "
              + LARGEST_BLOCK,
          null);
    }
    return new ReferenceMemory(this, new byte[(int) byteSize]);
  }

  private static boolean fits(long live, long byteSize) {
    return byteSize <= LARGEST_BLOCK && byteSize <= CAPACITY - live;
  }

  @Override
  protected void doFree(DeviceMemory memory) {
    content(memory);
    ((ReferenceMemory) memory).markFreed();
    liveBytes.addAndGet(-memory.byteSize());
  }

  @Override
  protected void doCopyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {
    refuseWhileRecording(stream, "a copy from the host");
    byte[] staged = source.toArray(ValueLayout.JAVA_BYTE);
    submit(
        stream,
        () ->
            MemorySegment.copy(
                MemorySegment.ofArray(staged), 0, content(target), offset, staged.length));
  }

  @Override
  protected void doCopyOut(DeviceMemory source, long offset, MemorySegment target, Stream stream) {
    refuseWhileRecording(stream, "a copy to the host");
    submit(stream, () -> MemorySegment.copy(content(source), offset, target, 0, target.byteSize()));
  }

  @Override
  protected void doCopyWithin(
      DeviceMemory source,
      long sourceOffset,
      DeviceMemory target,
      long targetOffset,
      long byteSize,
      Stream stream) {
    submit(
        stream,
        () ->
            MemorySegment.copy(
                content(source), sourceOffset, content(target), targetOffset, byteSize));
  }

  @Override
  public boolean canCopyTo(Device target) {
    return target instanceof ReferenceDevice && !equals(target);
  }

  /** Waits for the work of the source stream, and leaves the rest to the target stream. */
  @Override
  public void copyTo(
      DeviceMemory source,
      long sourceOffset,
      Stream sourceStream,
      DeviceMemory target,
      long targetOffset,
      Stream targetStream,
      long byteSize) {
    sourceStream.synchronize();
    MemorySegment bytes = content(source).asSlice(sourceOffset, byteSize);
    targetStream.device().copyIn(bytes, target, targetOffset, targetStream);
  }

  /** The bytes of a block of this device. */
  protected final MemorySegment content(DeviceMemory memory) {
    if (memory instanceof ReferenceMemory own) {
      return own.content(this);
    }
    throw new BackendException(
        ErrorKind.TYPE, "expected a block of " + this + ", but got " + memory.getClass().getName());
  }

  private static void refuseWhileRecording(Stream stream, String what) {
    if (stream instanceof ReferenceStream own) {
      own.refuseWhileRecording(what);
    }
  }

  /** Adds work to a stream of this device. */
  protected final void submit(Stream stream, Runnable work) {
    if (!(stream instanceof ReferenceStream own) || !equals(own.device())) {
      throw new BackendException(
          ErrorKind.VALUE, "work for " + this + " was given a stream of " + stream.device());
    }
    own.submit(work);
  }

  @Override
  public Set<String> formats() {
    return Set.of(ReferenceModules.FORMAT, ReferenceKernels.FORMAT);
  }

  @Override
  public Module loadModule(ModuleImage image) {
    requireOpen();
    if (!formats().contains(image.format())) {
      throw new BackendException(
          ErrorKind.VALUE,
          this
              + " takes no modules of format '"
              + image.format()
              + "', only "
              + formats().stream().sorted().toList());
    }
    return image.format().equals(ReferenceKernels.FORMAT)
        ? ReferenceKernels.load(this, image)
        : ReferenceModules.load(this, image);
  }

  @Override
  public void close() {
    closed = true;
  }
}
