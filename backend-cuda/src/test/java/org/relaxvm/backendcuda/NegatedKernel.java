package org.relaxvm.backendcuda;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.backendtestkit.SampleModule;

/** The module that the kit asks a loader to load; compiled for the kit's length, as kernels are. */
final class NegatedKernel {
  static final String NAME = "negated";

  static final String SOURCE =
      """
      extern "C" __global__ void __launch_bounds__(1) negated(const float* x, float* out) {
        for (int i = 0; i < 3; ++i) {
          out[i] = -x[i];
        }
      }
      """;

  private NegatedKernel() {}

  static SampleModule module() {
    KernelEntry entry =
        new KernelEntry(NAME, List.of(KernelEntry.HANDLE, KernelEntry.HANDLE), List.of());
    return new SampleModule(image(SOURCE, entry), NAME);
  }

  /** An image of one kernel. */
  static ModuleImage image(String source, KernelEntry entry) {
    return new ModuleImage(
        CudaModule.SOURCE,
        List.of(entry.name()),
        MemorySegment.ofArray(source.getBytes(UTF_8)),
        List.of(entry));
  }
}
