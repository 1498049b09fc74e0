package org.relaxvm.backendvulkan;

import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.backendsupport.cache.KernelCache;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.device.GpuDevice;
import org.relaxvm.backendsupport.gpu.module.GpuDriver;
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

/**
 * A device of Vulkan.
 *
 * <p>A block has no address that the host knows, so that an alignment of more than the device's own
 * can be neither given nor missed.
 */
final class VulkanDevice extends GpuDevice<VulkanMemory, VulkanStream> {
  /** Kernels load and store so many bytes at once: the last of a block may be partly in use. */
  private static final int VECTOR_BYTES = 16;

  private final DeviceContext context;
  private final VulkanDriver driver;
  private final PipelineStore pipelines;
  private final CachedShaders shaders;

  VulkanDevice(DeviceContext context, KernelCache cache) {
    super(
        context,
        context.facts().properties(),
        VulkanMemory.class,
        VulkanStream.class,
        VulkanModule.FORMATS,
        context.facts().limits().nanosPerTick());
    this.context = context;
    this.pipelines = new PipelineStore(context, cache);
    this.shaders = new CachedShaders(context, cache);
    this.driver = new VulkanDriver(this, context.facts());
  }

  @Override
  protected GpuDriver driver() {
    return driver;
  }

  /** The limits that schedules of kernels need. */
  GpuLimits limits() {
    return context.facts().gpuLimits();
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
  protected Module loadForeign(ModuleImage image) {
    return VulkanModule.load(this, image);
  }

  @Override
  protected VulkanStream makeStream() {
    boolean timed = DeviceTimeline.isOn() && context.facts().hasTimestamps();
    StreamTimes times = timed ? new StreamTimes(context, clock(), timeline()) : null;
    return new VulkanStream(this, context, times);
  }

  @Override
  protected VulkanMemory makeMemory(long byteSize, long alignment, String demand) {
    DeviceCalls calls = context.calls();
    try {
      return new VulkanMemory(context, calls, create(calls, byteSize), byteSize);
    } catch (VulkanStatusException e) {
      throw context.allocationFailure(e, demand, byteSize);
    }
  }

  /** What was freed and waits for work is released before the device is said to have no more. */
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
}
