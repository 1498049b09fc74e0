package org.relaxvm.backendopencl;

import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.backendopencl.context.DeviceContext;
import org.relaxvm.backendopencl.driver.OpenClStatusException;
import org.relaxvm.backendopencl.program.CachedPrograms;
import org.relaxvm.backendopencl.program.OpenClProgram;
import org.relaxvm.backendsupport.cache.KernelCache;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.device.GpuDevice;
import org.relaxvm.backendsupport.gpu.module.GpuDriver;
import org.relaxvm.backendsupport.profile.DeviceTimeline;

/**
 * A device of OpenCL.
 *
 * <p>A block has no address, so that an alignment of more than the device's own can be neither
 * given nor missed.
 */
final class OpenClDevice extends GpuDevice<OpenClMemory, OpenClStream> {
  private final DeviceContext context;
  private final OpenClDriver driver;
  private final CachedPrograms programs;

  OpenClDevice(DeviceContext context, KernelCache cache) {
    super(
        context,
        context.facts().properties(),
        OpenClMemory.class,
        OpenClStream.class,
        OpenClModule.FORMATS,
        1);
    this.context = context;
    this.programs = new CachedPrograms(context, cache);
    this.driver = new OpenClDriver(this, context.facts().hasFloat64());
  }

  @Override
  protected GpuDriver driver() {
    return driver;
  }

  /** The limits that schedules of kernels need. */
  GpuLimits limits() {
    return context.facts().limits();
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
  protected Module loadForeign(ModuleImage image) {
    return OpenClModule.load(this, image);
  }

  @Override
  protected OpenClStream makeStream() {
    return new OpenClStream(
        this, context, DeviceTimeline.isOn() ? new QueueTimes(context, clock(), timeline()) : null);
  }

  @Override
  protected OpenClMemory makeMemory(long byteSize, long alignment, String demand) {
    try {
      return new OpenClMemory(
          context, context.cl().createBuffer(context.handle(), Math.max(1, byteSize)), byteSize);
    } catch (OpenClStatusException e) {
      throw context.allocationFailure(e, demand, byteSize);
    }
  }
}
