package org.relaxvm.backendvulkan;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.relaxvm.api.spi.ModuleImage;

/** Images of kernels of the kernel IR. */
public final class KernelImages {
  private KernelImages() {}

  /** Of a text with one kernel. */
  public static ModuleImage of(String name, String text) {
    return new ModuleImage(
        "tir", List.of(name), MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
  }
}
