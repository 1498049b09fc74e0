package org.relaxvm.backendvulkan;

import java.util.List;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.backendtestkit.SampleModule;

/** The module that the kit asks a loader to load; compiled for the kit's length, as kernels are. */
final class NegatedKernel {
  static final String NAME = "negated";

  static final String SOURCE =
      """
      #version 460
      layout(local_size_x = 1) in;
      layout(set = 0, binding = 0) readonly buffer X { float x[]; };
      layout(set = 0, binding = 1) buffer Out { float result[]; };
      void main() {
        for (int i = 0; i < 3; ++i) {
          result[i] = -x[i];
        }
      }
      """;

  static final KernelEntry ENTRY =
      new KernelEntry(NAME, List.of(KernelEntry.HANDLE, KernelEntry.HANDLE), List.of());

  private NegatedKernel() {}

  static SampleModule module() {
    return new SampleModule(Shaders.image(SOURCE, ENTRY), NAME);
  }
}
