package org.relaxvm.backendcuda;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.ModuleImage;

/** A kernel of three elements in CUDA C, and what it does. */
final class NegatedKernel {
  static final String NAME = "negated";

  static final String SOURCE =
      """
      extern "C" __global__ void negated(const float* x, float* out) {
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

  /** An image of CUDA C with this kernel. */
  static ModuleImage image() {
    return image(CudaModule.SOURCE, SOURCE, entry());
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
