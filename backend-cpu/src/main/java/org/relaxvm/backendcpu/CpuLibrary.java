package org.relaxvm.backendcpu;

import java.util.Map;
import org.relaxvm.api.spi.Module;

/** Joins the kernels with the table of the kernel library. */
final class CpuLibrary {
  private CpuLibrary() {}

  static Module create() {
    return Module.of("kernel library of cpu:0", Map.of());
  }
}
