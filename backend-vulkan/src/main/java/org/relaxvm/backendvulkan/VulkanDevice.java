package org.relaxvm.backendvulkan;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
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
import org.relaxvm.backendsupport.cache.KernelCache;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.kernellibrary.GpuLibrary;
import org.relaxvm.backendsupport.gpu.module.GpuModule;
import org.relaxvm.backendsupport.profile.DeviceClock;
import org.relaxvm.backendsupport.profile.DeviceTimeline;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.driver.BufferUse;
import org.relaxvm.backendvulkan.driver.DeviceBuffer;
import org.relaxvm.backendvulkan.driver.DeviceCalls;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;
import org.relaxvm.backendvulkan.kernels.KernelInterface;
import org.relaxvm.backendvulkan.program.CachedShaders;
import org.relaxvm.backendvulkan.program.PipelineStore;
import org.relaxvm.backendvulkan.program.VulkanKernel;
import org.relaxvm.backendvulkan.program.VulkanProgram;
import org.relaxvm.backendvulkan.stream.StreamTimes;
import org.relaxvm.tir.abi.KernelText;

/**
 * A device of Vulkan. Nothing is made on it before it is used for the first time.
 *
 * <p>A block has no address that the host knows, so that an alignment of more than the device's own
 * can be neither given nor missed.
 */
final class VulkanDevice extends Device implements ModuleLoader {
  /** Kernels load and store so many bytes at once: the last of a block may be partly in use. */
  private static final int VECTOR_BYTES = 16;

  private static final Set<String> FORMATS = formatsWith(KernelText.FORMAT);

  private final DeviceContext context;
  private final DeviceProperties properties;
  private final VulkanDriver driver;
  private final PipelineStore pipelines;
  private final CachedShaders shaders;
  private final DeviceClock clock;
  private final DeviceTimeline timeline;
  private final AtomicLong liveBytes = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();
  private @Nullable GpuLibrary library;

  VulkanDevice(DeviceContext context, KernelCache cache) {
    super(context.id());
    this.context = context;
    this.properties = context.facts().properties();
    this.pipelines = new PipelineStore(context, cache);
    this.shaders = new CachedShaders(context, cache);
    this.clock = new DeviceClock(context.facts().limits().nanosPerTick());
    this.timeline = new DeviceTimeline(context.id(), clock);
    this.driver = new VulkanDriver(this, context.facts());
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
    Set<String> formats = new HashSet<>(VulkanModule.FORMATS);
    formats.add(format);
    return Set.copyOf(formats);
  }

  /** What schedules of kernels have to know. */
  GpuLimits limits() {
    return context.facts().gpuLimits();
  }

  /** Bytes of all blocks that were not freed. */
  long liveBytes() {
    return liveBytes.get();
  }

  /**
   * Makes a kernel of a shader; the caller closes it. See {@link VulkanKernel#of}.
   *
   * @param spirv little-endian
   */
  VulkanKernel kernel(byte[] spirv, KernelInterface shape, String name) {
    context.requireUsable();
    return VulkanKernel.of(context, pipelines, spirv, shape, name);
  }

  /** Compiles a program in GLSL; the caller closes it. See {@link VulkanProgram#build}. */
  VulkanProgram build(String name, String source) {
    context.requireUsable();
    return VulkanProgram.build(context, shaders, pipelines, name, source);
  }

  @Override
  public Stream openStream() {
    boolean timed = DeviceTimeline.isOn() && context.facts().hasTimestamps();
    StreamTimes times = timed ? new StreamTimes(context, clock, timeline) : null;
    return context.make(() -> new VulkanStream(this, context, times));
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
    VulkanMemory memory = context.make(() -> allocate(byteSize));
    liveBytes.addAndGet(byteSize);
    return memory;
  }

  private VulkanMemory allocate(long byteSize) {
    DeviceCalls calls = context.calls();
    try {
      return new VulkanMemory(context, calls, create(calls, byteSize), byteSize);
    } catch (VulkanStatusException e) {
      throw context.allocationFailure(e, demand(byteSize), byteSize);
    }
  }

  /** What was freed and waits for work is given back before the device is said to have no more. */
  private DeviceBuffer create(DeviceCalls calls, long byteSize) {
    BufferUse use =
        context.facts().report().kind().sharesHostMemory() ? BufferUse.SHARED : BufferUse.DEVICE;
    long whole = Math.max(1, Math.ceilDiv(byteSize, VECTOR_BYTES)) * VECTOR_BYTES;
    try {
      return calls.createBuffer(whole, use);
    } catch (VulkanStatusException e) {
      if (DeviceContext.isOutOfMemory(e) && context.drain()) {
        return calls.createBuffer(whole, use);
      }
      throw e;
    }
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
    VulkanMemory own = own(memory);
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
  VulkanMemory own(DeviceMemory memory) {
    if (memory instanceof VulkanMemory own && own.isOf(context)) {
      return own;
    }
    throw new BackendException(
        ErrorKind.TYPE,
        "expected a block of "
            + this
            + ", but got "
            + (memory instanceof VulkanMemory ? memory : memory.getClass().getName()));
  }

  /** A stream of this device. */
  VulkanStream own(Stream stream) {
    if (stream instanceof VulkanStream own && own.device().equals(this)) {
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
        : VulkanModule.load(this, image);
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
