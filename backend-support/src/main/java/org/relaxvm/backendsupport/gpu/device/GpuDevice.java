package org.relaxvm.backendsupport.gpu.device;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendsupport.gpu.kernellibrary.GpuLibrary;
import org.relaxvm.backendsupport.gpu.module.GpuDriver;
import org.relaxvm.backendsupport.gpu.module.GpuModule;
import org.relaxvm.backendsupport.profile.DeviceClock;
import org.relaxvm.backendsupport.profile.DeviceTimeline;
import org.relaxvm.tir.abi.KernelText;

/**
 * A GPU. No resource is created on it before its first use.
 *
 * @param <M> its blocks of memory
 * @param <S> its streams
 */
public abstract class GpuDevice<M extends GpuMemory, S extends GpuStream<M>> extends Device
    implements ModuleLoader {
  private final DeviceLifetime lifetime;
  private final DeviceProperties properties;
  private final Class<M> memoryType;
  private final Class<S> streamType;
  private final Set<String> formats;
  private final DeviceClock clock;
  private final DeviceTimeline timeline;
  private final AtomicLong liveBytes = new AtomicLong();
  private @Nullable GpuLibrary library;

  /**
   * A device.
   *
   * @param foreignFormats the formats of modules that it takes beside the kernel IR
   * @param nanosPerTick of its clock
   */
  protected GpuDevice(
      DeviceLifetime lifetime,
      DeviceProperties properties,
      Class<M> memoryType,
      Class<S> streamType,
      Set<String> foreignFormats,
      double nanosPerTick) {
    super(lifetime.id());
    this.lifetime = lifetime;
    this.properties = properties;
    this.memoryType = memoryType;
    this.streamType = streamType;
    Set<String> all = new HashSet<>(foreignFormats);
    all.add(KernelText.FORMAT);
    this.formats = Set.copyOf(all);
    this.clock = new DeviceClock(nanosPerTick);
    this.timeline = new DeviceTimeline(lifetime.id(), clock);
  }

  /** Runs kernels of the kernel IR on this device; the same one each time. */
  protected abstract GpuDriver driver();

  /** Loads a module that is not in the kernel IR. */
  protected abstract Module loadForeign(ModuleImage image);

  /** Opens a stream; called while the device cannot be closed. */
  protected abstract S makeStream();

  /**
   * Allocates a block; called while the device cannot be closed.
   *
   * @param demand what was asked for, for errors
   */
  protected abstract M makeMemory(long byteSize, long alignment, String demand);

  /** The bytes beside a block's own that an alignment takes. */
  protected long paddingBytes(long alignment) {
    return 0;
  }

  /** The end of the sentence that says what was asked for. */
  protected String limitText() {
    return " and at most " + properties.maxAllocationBytes() + " in a block";
  }

  /** The options of the backend. */
  public final BackendOptions options() {
    return lifetime.options();
  }

  /** The device's clock. */
  protected final DeviceClock clock() {
    return clock;
  }

  /** Where times of the device's work go. */
  protected final DeviceTimeline timeline() {
    return timeline;
  }

  @Override
  public final synchronized GpuLibrary library() {
    GpuLibrary made = library;
    if (made == null) {
      made = GpuLibrary.of(driver());
      library = made;
    }
    return made;
  }

  @Override
  public final DeviceProperties properties() {
    return properties;
  }

  /** Bytes of all blocks that were not freed. */
  public final long liveBytes() {
    return liveBytes.get();
  }

  @Override
  public final Stream openStream() {
    return lifetime.make(this::makeStream);
  }

  @Override
  protected final DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
    lifetime.requireUsable();
    if (!scope.isEmpty() && !scope.equals("global")) {
      throw new BackendException(
          ErrorKind.VALUE, this + " has no scope '" + scope + "', only 'global'");
    }
    String demand =
        "allocate "
            + byteSize
            + " bytes, with "
            + liveBytes
            + " of "
            + properties.totalMemoryBytes()
            + " in use"
            + limitText();
    if (byteSize > properties.maxAllocationBytes() - paddingBytes(alignment)) {
      throw new DeviceOutOfMemoryException(byteSize, this + " cannot " + demand, null);
    }
    M memory = lifetime.make(() -> makeMemory(byteSize, alignment, demand));
    liveBytes.addAndGet(byteSize);
    return memory;
  }

  @Override
  protected final void doFree(DeviceMemory memory) {
    M own = own(memory);
    if (!lifetime.runIfOpen(own::free)) {
      lifetime.requireOpen();
    }
    liveBytes.addAndGet(-own.byteSize());
  }

  @Override
  protected final void doCopyIn(
      MemorySegment source, DeviceMemory target, long offset, Stream stream) {
    own(stream).write(source, own(target), offset);
  }

  @Override
  protected final void doCopyOut(
      DeviceMemory source, long offset, MemorySegment target, Stream stream) {
    own(stream).read(own(source), offset, target);
  }

  @Override
  protected final void doCopyWithin(
      DeviceMemory source,
      long sourceOffset,
      DeviceMemory target,
      long targetOffset,
      long byteSize,
      Stream stream) {
    own(stream).copy(own(source), sourceOffset, own(target), targetOffset, byteSize);
  }

  /**
   * A block of this device.
   *
   * @throws BackendException a {@code TypeError} for a block of another device
   */
  public final M own(DeviceMemory memory) {
    if (memoryType.isInstance(memory) && memoryType.cast(memory).isOf(lifetime)) {
      return memoryType.cast(memory);
    }
    throw new BackendException(
        ErrorKind.TYPE,
        "expected a block of "
            + this
            + ", but got "
            + (memory instanceof GpuMemory ? memory : memory.getClass().getName()));
  }

  /**
   * A stream of this device.
   *
   * @throws BackendException a {@code ValueError} for a stream of another device
   */
  public final S own(Stream stream) {
    if (streamType.isInstance(stream) && stream.device().equals(this)) {
      return streamType.cast(stream);
    }
    throw new BackendException(
        ErrorKind.VALUE, "work for " + this + " was given a stream of " + stream.device());
  }

  @Override
  public final Set<String> formats() {
    return formats;
  }

  @Override
  public final Module loadModule(ModuleImage image) {
    lifetime.requireUsable();
    return image.format().equals(KernelText.FORMAT)
        ? GpuModule.load(driver(), image)
        : loadForeign(image);
  }

  @Override
  public final void close() {
    lifetime.close(
        () -> {
          timeline.close();
          closeLibrary();
        });
  }

  private synchronized void closeLibrary() {
    if (library != null) {
      library.close();
    }
  }

  /** Closes all devices of a backend, and raises the first failure. */
  public static void closeAll(Iterable<? extends Device> devices) {
    Throwable failure = null;
    for (Device device : devices) {
      try {
        device.close();
      } catch (RuntimeException | Error e) {
        failure = FirstFailure.of(failure, e);
      }
    }
    FirstFailure.raise(failure);
  }
}
