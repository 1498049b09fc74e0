package org.relaxvm.api.spi;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Kernels in a form that a device may take.
 *
 * @param format such as {@code tir}, {@code opencl-c}, {@code spirv}, {@code ptx}, {@code cubin},
 *     {@code cuda-c}; the device says which it takes
 * @param symbols names of the functions in the image
 * @param bytes the content, read-only; valid during the call that gets the image
 */
public record ModuleImage(String format, List<String> symbols, MemorySegment bytes) {
  /** Copies the list. */
  public ModuleImage {
    symbols = List.copyOf(symbols);
    bytes = bytes.asReadOnly();
  }
}
