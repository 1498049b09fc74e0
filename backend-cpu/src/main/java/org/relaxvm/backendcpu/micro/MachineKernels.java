package org.relaxvm.backendcpu.micro;

import java.util.Map;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.backendcpu.kernel.CpuKernel;

/** The kernels that exist in machine code, and whether this process uses them. */
public final class MachineKernels {
  /** System property: {@code portable} for no machine code. */
  public static final String SETTING = "relaxvm.cpu.code";

  private MachineKernels() {}

  /** Whether kernels run in machine code. */
  public static boolean areUsed() {
    return MachineCode.current().isAvailable()
        && !"portable".equals(System.getProperty(SETTING, ""));
  }

  /** Replaces kernels, which stay for what machine code does not compute. */
  public static void addTo(Map<String, CpuKernel> kernels) {
    MachineMatmul matmul = MachineMatmul.of(MachineCode.current().features());
    kernels.computeIfPresent("matmul", (name, other) -> matmul.products(other));
    kernels.computeIfPresent("matmul_residual", (name, other) -> matmul.residuals(other));
  }
}
