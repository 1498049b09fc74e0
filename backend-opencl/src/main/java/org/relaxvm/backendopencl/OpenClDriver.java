package org.relaxvm.backendopencl;

import java.util.List;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendopencl.kernels.OpenClDialect;
import org.relaxvm.backendopencl.program.OpenClProgram;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.codegen.Dialect;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;
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
  public GpuLimits limits() {
    return device.limits();
  }

  @Override
  public Dialect dialect(boolean wide) {
    return dialect;
  }

  @Override
  public GpuProgram build(String name, String source) {
    return new Program(device.build(name, source, ""));
  }

  private final class Program implements GpuProgram {
    private final OpenClProgram program;

    Program(OpenClProgram program) {
      this.program = program;
    }

    @Override
    public void launch(
        String kernel,
        String function,
        Stream stream,
        List<KernelArgument> arguments,
        WorkSize size,
        long groupBytes) {
      device.own(stream).launch(program.kernel(kernel), function, arguments, size);
    }

    @Override
    public void close() {
      program.close();
    }
  }
}
