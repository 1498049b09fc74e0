package org.relaxvm.backendsupport.gpu.kernellibrary;

import org.relaxvm.api.spi.Device;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.codegen.Dialect;
import org.relaxvm.backendsupport.gpu.module.GpuDriver;
import org.relaxvm.backendsupport.gpu.module.GpuProgram;

/** A driver that is never asked to build anything. */
record NoPrograms(Device device) implements GpuDriver {
  @Override
  public GpuLimits limits() {
    return new GpuLimits(64, 0, 1, 16, 1);
  }

  @Override
  public Dialect dialect(boolean wide) {
    throw new AssertionError("nothing is printed");
  }

  @Override
  public GpuProgram build(String name, String source) {
    throw new AssertionError("nothing is built");
  }
}
