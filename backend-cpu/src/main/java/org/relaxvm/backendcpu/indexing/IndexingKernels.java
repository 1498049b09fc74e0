package org.relaxvm.backendcpu.indexing;

import java.util.Map;
import org.relaxvm.backendcpu.kernel.CpuKernel;

/** The kernels of this package. */
public final class IndexingKernels {
  private IndexingKernels() {}

  /** Adds them by name without prefix. */
  public static void addTo(Map<String, CpuKernel> kernels) {
    kernels.put("take", GatherKernels::take);
    kernels.put("gather_elements", GatherKernels::gatherElements);
    kernels.put("gather_nd", GatherKernels::gatherNd);
    kernels.put("scatter_elements", ScatterKernels::scatterElements);
    kernels.put("scatter_nd", ScatterKernels::scatterNd);
    kernels.put("one_hot", OneHotKernel::run);
  }
}
