package org.relaxvm.backendcuda;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
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

  static KernelEntry entry() {
    return new KernelEntry(NAME, List.of(KernelEntry.HANDLE, KernelEntry.HANDLE), List.of());
  }

  /** What the device does. */
  static void run(SparseMemory memory, ByteBuffer arguments) {
    long x = arguments.getLong();
    long out = arguments.getLong();
    for (int i = 0; i < 3; i++) {
      memory.setFloat(out + i * (long) Float.BYTES, -memory.floatAt(x + i * (long) Float.BYTES));
    }
  }

  static SampleModule module() {
    return new SampleModule(image(), NAME);
  }

  /** An image of CUDA C with this kernel. */
  static ModuleImage image() {
    return image(SOURCE, entry());
  }

  /** An image of one kernel in CUDA C. */
  static ModuleImage image(String source, KernelEntry entry) {
    return image(CudaModule.SOURCE, source, entry);
  }

  /** An image of one kernel. */
  static ModuleImage image(String format, String content, KernelEntry entry) {
    return new ModuleImage(
        format,
        List.of(entry.name()),
        MemorySegment.ofArray(content.getBytes(UTF_8)),
        List.of(entry));
  }
}
