package org.relaxvm.backendcuda;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
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
import org.relaxvm.backendsupport.gpu.device.GpuDevice;
import org.relaxvm.backendsupport.gpu.module.GpuDriver;
import org.relaxvm.backendsupport.profile.DeviceTimeline;

/**
 * A device of CUDA.
 *
 * <p>Blocks are ranges of addresses, which start at multiples of 256 or of what was asked for.
 */
final class CudaDevice extends GpuDevice<CudaMemory, CudaStream> implements PeerCopy {
  private final DeviceContext context;
  private final CudaDriver driver;
  private final CachedImages images;
  private final StagingRings rings;
  private final CublasWorkers workers;
  private final Set<CudaDevice> knownPeers = ConcurrentHashMap.newKeySet();
  private @Nullable DeviceTimes times;

  CudaDevice(
      DeviceContext context, CompilerSource compilers, CublasSource cublas, KernelCache cache) {
    super(
        context,
        context.facts().properties(),
        CudaMemory.class,
        CudaStream.class,
        CudaModule.FORMATS,
        1);
    this.context = context;
    this.images = new CachedImages(context, compilers, cache);
    this.rings = new StagingRings(context);
    this.workers = new CublasWorkers(context, cublas);
    this.driver = new CudaDriver(this, context.facts(), compilers, cublas);
  }

  @Override
  protected GpuDriver driver() {
    return driver;
  }

  /** The limits that schedules of kernels need. */
  GpuLimits limits() {
    return context.facts().limits();
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
  protected Module loadForeign(ModuleImage image) {
    return CudaModule.load(this, image);
  }

  @Override
  protected CudaStream makeStream() {
    return CudaStream.open(this, context, rings, workers, DeviceTimeline.isOn() ? times() : null);
  }

  private synchronized DeviceTimes times() {
    DeviceTimes made = times;
    if (made == null) {
      made = context.make(() -> new DeviceTimes(context, clock(), timeline()));
      times = made;
    }
    return made;
  }

  /** Room to move the start to a multiple of more than every block starts at. */
  @Override
  protected long paddingBytes(long alignment) {
    return alignment > DeviceFacts.ALIGNMENT ? alignment - DeviceFacts.ALIGNMENT : 0;
  }

  @Override
  protected String limitText() {
    return "";
  }

  @Override
  protected CudaMemory makeMemory(long byteSize, long alignment, String demand) {
    try {
      Blocks.Block block = context.blocks().take(Math.max(1, byteSize) + paddingBytes(alignment));
      long start = (block.address() + alignment - 1) & -alignment;
      return new CudaMemory(context, block, start, byteSize);
    } catch (CudaStatusException e) {
      throw context.allocationFailure(e, demand + context.freeMemory(), byteSize);
    }
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
        peer.context.run(
            () ->
                context.run(
                    () -> context.cuda().enablePeer(context.handle(), peer.context.handle())));
      }
    } catch (CudaStatusException e) {
      if (!DeviceContext.isRefusal(e)) {
        throw context.failure(e, "reach the memory of " + peer);
      }
    }
  }
}
