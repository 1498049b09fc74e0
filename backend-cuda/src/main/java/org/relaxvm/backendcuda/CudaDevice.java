package org.relaxvm.backendcuda;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
import org.relaxvm.api.spi.PeerCopy;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcuda.context.Blocks;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendcuda.context.DeviceFacts;
import org.relaxvm.backendcuda.cublas.CublasSource;
import org.relaxvm.backendcuda.cublas.CublasWorkers;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.program.CachedImages;
import org.relaxvm.backendcuda.program.CompilerSource;
import org.relaxvm.backendcuda.program.CudaProgram;
import org.relaxvm.backendsupport.cache.KernelCache;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.kernellibrary.GpuLibrary;
import org.relaxvm.backendsupport.gpu.module.GpuModule;
import org.relaxvm.backendsupport.profile.DeviceClock;
import org.relaxvm.backendsupport.profile.DeviceTimeline;
import org.relaxvm.tir.abi.KernelText;

/**
 * A device of CUDA. Nothing is made on it before it is used for the first time.
 *
 * <p>Blocks are ranges of addresses, which start at multiples of 256 or of what was asked for.
 */
final class CudaDevice extends Device implements ModuleLoader, PeerCopy {
  private static final Set<String> FORMATS = formatsWith(KernelText.FORMAT);

  private final DeviceContext context;
  private final DeviceProperties properties;
  private final CudaDriver driver;
  private final CachedImages images;
  private final StagingRings rings;
  private final CublasWorkers workers;
  private final DeviceClock clock = new DeviceClock(1);
  private final DeviceTimeline timeline;
  private final AtomicLong liveBytes = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Set<CudaDevice> knownPeers = ConcurrentHashMap.newKeySet();
  private @Nullable DeviceTimes times;
  private @Nullable GpuLibrary library;

  CudaDevice(
      DeviceContext context, CompilerSource compilers, CublasSource cublas, KernelCache cache) {
    super(context.id());
    this.context = context;
    this.properties = context.facts().properties();
    this.images = new CachedImages(context, compilers, cache);
    this.rings = new StagingRings(context);
    this.workers = new CublasWorkers(context, cublas);
    this.timeline = new DeviceTimeline(context.id(), clock);
    this.driver = new CudaDriver(this, context.facts(), compilers, cublas);
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
    Set<String> formats = new HashSet<>(CudaModule.FORMATS);
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

  /** Compiles CUDA C; the caller closes the program. See {@link CachedImages#build}. */
  CudaProgram build(String name, String source) {
    return images.build(name, source);
  }

  /** Loads code in a form that the driver takes. See {@link CudaProgram#load}. */
  CudaProgram load(String name, byte[] image) {
    return CudaProgram.load(context, name, image);
  }

  @Override
  public Stream openStream() {
    return new CudaStream(this, context, rings, workers, DeviceTimeline.isOn() ? times() : null);
  }

  private synchronized DeviceTimes times() {
    DeviceTimes made = times;
    if (made == null) {
      made = new DeviceTimes(context, clock, timeline);
      times = made;
    }
    return made;
  }

  @Override
  protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
    context.requireUsable();
    if (!scope.isEmpty() && !scope.equals("global")) {
      throw new BackendException(
          ErrorKind.VALUE, this + " has no scope '" + scope + "', only 'global'");
    }
    // Room to move the start to a multiple of more than every block starts at.
    long extra = alignment > DeviceFacts.ALIGNMENT ? alignment - DeviceFacts.ALIGNMENT : 0;
    if (byteSize > properties.maxAllocationBytes() - extra) {
      throw new DeviceOutOfMemoryException(byteSize, this + " cannot " + demand(byteSize), null);
    }
    Blocks.Block block;
    try {
      block = context.blocks().take(Math.max(1, byteSize) + extra);
    } catch (CudaStatusException e) {
      throw context.allocationFailure(e, demand(byteSize) + context.freeMemory(), byteSize);
    }
    long start = (block.address() + alignment - 1) & -alignment;
    CudaMemory memory = new CudaMemory(context, block, start, byteSize);
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
        + " in use";
  }

  @Override
  protected void doFree(DeviceMemory memory) {
    CudaMemory own = own(memory);
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

  /** The driver copies between all of its devices, by itself where they do not reach each other. */
  @Override
  public boolean canCopyTo(Device target) {
    return target instanceof CudaDevice other && other.context.cuda().equals(context.cuda());
  }

  @Override
  public void copyTo(
      DeviceMemory source,
      long sourceOffset,
      Stream sourceStream,
      DeviceMemory target,
      long targetOffset,
      Stream targetStream,
      long byteSize) {
    if (!(targetStream.device() instanceof CudaDevice other) || !canCopyTo(other)) {
      throw new BackendException(
          ErrorKind.VALUE, this + " cannot copy to " + targetStream.device() + " by itself");
    }
    CudaMemory from = own(source);
    CudaMemory to = other.own(target);
    CudaStream fromStream = own(sourceStream);
    if (byteSize > 0) {
      other.reach(this);
      other.own(targetStream).copyFrom(from, sourceOffset, fromStream, to, targetOffset, byteSize);
    }
  }

  /**
   * Lets copies go from one device to the other without the host, where they can. Where they
   * cannot, such as for a device that has as many peers as it may, the driver copies through the
   * host.
   */
  private void reach(CudaDevice peer) {
    if (peer == this || !knownPeers.add(peer)) {
      return;
    }
    try {
      if (context.cuda().canReach(context.ordinal(), peer.context.ordinal())) {
        context.cuda().enablePeer(context.handle(), peer.context.handle());
      }
    } catch (CudaStatusException e) {
      if (!DeviceContext.isRefusal(e)) {
        throw context.failure(e, "reach the memory of " + peer);
      }
    }
  }

  /** A block of this device. */
  CudaMemory own(DeviceMemory memory) {
    if (memory instanceof CudaMemory own && own.isOf(context)) {
      return own;
    }
    throw new BackendException(
        ErrorKind.TYPE,
        "expected a block of "
            + this
            + ", but got "
            + (memory instanceof CudaMemory ? memory : memory.getClass().getName()));
  }

  /** A stream of this device. */
  CudaStream own(Stream stream) {
    if (stream instanceof CudaStream own && own.device().equals(this)) {
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
        : CudaModule.load(this, image);
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
