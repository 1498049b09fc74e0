package org.relaxvm.backendcpu.ordering;

import java.util.Map;
import org.relaxvm.backendcpu.kernel.CpuKernel;

/** The kernels of this package. */
public final class OrderingKernels {
  private OrderingKernels() {}

  /** Adds them by name without prefix. */
  public static void addTo(Map<String, CpuKernel> kernels) {
    kernels.put("sort", call -> SortKernels.sort(call, false));
    kernels.put("argsort", call -> SortKernels.sort(call, true));
    kernels.put("topk", call -> SortKernels.topk(call, false));
    kernels.put("topk_indices", call -> SortKernels.topk(call, true));
    addExtremes(kernels, new FloatFinder());
    kernels.put("cumsum", call -> ScanKernels.run(call, false));
    kernels.put("cumprod", call -> ScanKernels.run(call, true));
  }

  /** Adds those that use a finder. */
  public static void addExtremes(Map<String, CpuKernel> kernels, FloatFinder finder) {
    kernels.put("argmax", call -> ExtremeKernels.run(call, true, finder));
    kernels.put("argmin", call -> ExtremeKernels.run(call, false, finder));
  }
}
