package org.relaxvm.backendsupport.gpu.module;

import java.util.Optional;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.Device;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.codegen.Dialect;
import org.relaxvm.backendsupport.gpu.vendorgemm.GemmLibrary;

/** What a device does for kernels of the kernel IR. Thread-safe. */
public interface GpuDriver {
  /** The device that runs them. */
  Device device();

  /** The options of its backend. */
  default BackendOptions options() {
    return BackendOptions.none();
  }

  /** What schedules have to know of it. Does not change. */
  GpuLimits limits();

  /**
   * The language of programs that it takes.
   *
   * @param wide whether kernels are written with indices of 64 bits, which all kernels are that
   *     need more memory than {@link #mostNarrowBytes} or {@link #mostNarrowBuffers} allow
   */
  Dialect dialect(boolean wide);

  /** The largest block that kernels with indices of 32 bits can be given. */
  default long mostNarrowBytes() {
    return Long.MAX_VALUE;
  }

  /** The most buffers that a kernel with indices of 32 bits can have. */
  default int mostNarrowBuffers() {
    return Integer.MAX_VALUE;
  }

  /**
   * Whether kernels of the library should serve calls of as many extents as they can, instead of
   * being as fast as they can be: where programs are not compiled when they are needed.
   */
  default boolean wantsGeneralKernels() {
    return false;
  }

  /** What multiplies matrices instead of kernels, if there may be such a library. */
  default Optional<GemmLibrary> gemmLibrary() {
    return Optional.empty();
  }

  /**
   * Builds a program, or takes one that was built before.
   *
   * @param name for messages
   * @param source in the language of {@link #dialect}
   * @return a program that the caller closes
   * @throws org.relaxvm.api.error.BackendException when the compiler refuses it
   */
  GpuProgram build(String name, String source);
}
