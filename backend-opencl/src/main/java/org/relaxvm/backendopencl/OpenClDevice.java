package org.relaxvm.backendopencl;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jocl.cl_mem;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendopencl.context.DeviceContext;
import org.relaxvm.backendopencl.driver.OpenClStatusException;
import org.relaxvm.backendopencl.program.CachedPrograms;
import org.relaxvm.backendopencl.program.OpenClProgram;
import org.relaxvm.backendsupport.cache.KernelCache;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.kernellibrary.GpuLibrary;
import org.relaxvm.backendsupport.gpu.module.GpuModule;
import org.relaxvm.backendsupport.profile.DeviceClock;
import org.relaxvm.backendsupport.profile.DeviceTimeline;
import org.relaxvm.tir.abi.KernelText;

/**
 * A device of OpenCL. Nothing is made on it before it is used for the first time.
 *
 * <p>A block has no address, so that an alignment of more than the device's own can be neither
 * given nor missed.
 */
final class OpenClDevice extends Device implements ModuleLoader {
  private static final Set<String> FORMATS = formatsWith(KernelText.FORMAT);

  private final DeviceContext context;
  private final DeviceProperties properties;
  private final OpenClDriver driver;
  private final CachedPrograms programs;
  private final DeviceClock clock = new DeviceClock(1);
  private final DeviceTimeline timeline;
  private final AtomicLong liveBytes = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();
  private @Nullable GpuLibrary library;

  OpenClDevice(DeviceContext context, KernelCache cache) {
    super(context.id());
    this.context = context;
    this.properties = context.facts().properties();
    this.programs = new CachedPrograms(context, cache);
    this.timeline = new DeviceTimeline(context.id(), clock);
    this.driver = new OpenClDriver(this, context.facts().hasFloat64());
  }

  @Override
  public synchronized GpuLibrary library() {
    GpuLibrary made = library;
    if (made == null) {
      made = GpuLibrary.of(driver);
      library = made;
    }
    return made;
  }

  @Override
  public DeviceProperties properties() {
    return properties;
  }

  private static Set<String> formatsWith(String format) {
    Set<String> formats = new HashSet<>(OpenClModule.FORMATS);
    formats.add(format);
    return Set.copyOf(formats);
  }

  /** What schedules of kernels have to know. */
  GpuLimits limits() {
    return context.facts().limits();
  }

  /** Bytes of all blocks that were not freed. */
  long liveBytes() {
    return liveBytes.get();
  }

  /** Compiles OpenCL C; the caller closes the program. See {@link CachedPrograms#build}. */
  OpenClProgram build(String name, String source, String options) {
    return programs.build(name, source, options);
  }

  /** Loads a program in the form that this device keeps. See {@link OpenClProgram#load}. */
  OpenClProgram load(byte[] binary) {
    return OpenClProgram.load(context, binary);
  }

  @Override
  public Stream openStream() {
    return new OpenClStream(
        this, context, DeviceTimeline.isOn() ? new QueueTimes(context, clock, timeline) : null);
  }

  @Override
  protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
    context.requireUsable();
    if (!scope.isEmpty() && !scope.equals("global")) {
      throw new BackendException(
          ErrorKind.VALUE, this + " has no scope '" + scope + "', only 'global'");
    }
    if (byteSize > properties.maxAllocationBytes()) {
      throw new DeviceOutOfMemoryException(byteSize, this + " cannot " + demand(byteSize), null);
    }
    cl_mem handle;
    try {
      handle = context.cl().createBuffer(context.handle(), Math.max(1, byteSize));
    } catch (OpenClStatusException e) {
      throw context.allocationFailure(e, demand(byteSize), byteSize);
    }
    OpenClMemory memory = new OpenClMemory(context, handle, byteSize);
    context.own(memory);
    liveBytes.addAndGet(byteSize);
    return memory;
  }

  private String demand(long byteSize) {
    return "allocate "
        + byteSize
        + " bytes, with "
        + liveBytes
        + " of "
        + properties.totalMemoryBytes()
        + " in use and at most "
        + properties.maxAllocationBytes()
        + " in a block";
  }

  @Override
  protected void doFree(DeviceMemory memory) {
    OpenClMemory own = own(memory);
    context.requireOpen();
    own.free();
    liveBytes.addAndGet(-own.byteSize());
  }

  @Override
  protected void doCopyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {
    own(stream).write(source, own(target), offset);
  }

  @Override
  protected void doCopyOut(DeviceMemory source, long offset, MemorySegment target, Stream stream) {
    own(stream).read(own(source), offset, target);
  }

  @Override
  protected void doCopyWithin(
      DeviceMemory source,
      long sourceOffset,
      DeviceMemory target,
      long targetOffset,
      long byteSize,
      Stream stream) {
    own(stream).copy(own(source), sourceOffset, own(target), targetOffset, byteSize);
  }

  /** A block of this device. */
  OpenClMemory own(DeviceMemory memory) {
    if (memory instanceof OpenClMemory own && own.isOf(context)) {
      return own;
    }
    throw new BackendException(
        ErrorKind.TYPE,
        "expected a block of "
            + this
            + ", but got "
            + (memory instanceof OpenClMemory ? memory : memory.getClass().getName()));
  }

  /** A stream of this device. */
  OpenClStream own(Stream stream) {
    if (stream instanceof OpenClStream own && own.device().equals(this)) {
      return own;
    }
    throw new BackendException(
        ErrorKind.VALUE, "work for " + this + " was given a stream of " + stream.device());
  }

  @Override
  public Set<String> formats() {
    return FORMATS;
  }

  @Override
  public Module loadModule(ModuleImage image) {
    context.requireUsable();
    return image.format().equals(KernelText.FORMAT)
        ? GpuModule.load(driver, image)
        : OpenClModule.load(this, image);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      timeline.close();
      closeLibrary();
      context.close();
    }
  }

  private synchronized void closeLibrary() {
    if (library != null) {
      library.close();
    }
  }
}
