package org.relaxvm.backendopencl;

import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.Device;
import org.relaxvm.backendopencl.program.OpenClProgram;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.codegen.Dialect;
import org.relaxvm.backendsupport.gpu.module.GpuDriver;
import org.relaxvm.backendsupport.gpu.module.GpuProgram;

/** Runs kernels of the kernel IR on a device of OpenCL. Thread-safe. */
final class OpenClDriver implements GpuDriver {
  private final OpenClDevice device;
  private final Dialect dialect;

  OpenClDriver(OpenClDevice device, boolean hasFloat64) {
    this.device = device;
    this.dialect = new OpenClDialect(hasFloat64);
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public BackendOptions options() {
    return device.options();
  }

  @Override
  public GpuLimits limits() {
    return device.limits();
  }

  @Override
  public Dialect dialect(boolean wide) {
    return dialect;
  }

  @Override
  public GpuProgram build(String name, String source) {
    OpenClProgram program = device.build(name, source, "");
    return GpuProgram.of(
        (kernel, function, stream, arguments, size, sharedBytes) ->
            device.own(stream).launch(program.kernel(kernel), function, arguments, size),
        program::close);
  }
}
