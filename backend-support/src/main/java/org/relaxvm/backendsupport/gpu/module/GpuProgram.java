package org.relaxvm.backendsupport.gpu.module;

import java.util.List;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;

/** A program that was built for a device. Thread-safe. */
public interface GpuProgram extends AutoCloseable {
  /**
   * Enqueues a kernel and does not wait for it.
   *
   * @param kernel its name in the source
   * @param function the function that it is part of, for profiles
   * @param stream of the program's device
   * @param size of the launch
   * @param sharedBytes memory that the work-items of a work-group share, beside what the source
   *     declares
   * @throws org.relaxvm.api.error.BackendException when it cannot be launched
   */
  void launch(
      String kernel,
      String function,
      Stream stream,
      List<KernelArgument> arguments,
      WorkSize size,
      long sharedBytes);

  /** Gives the program back; work that was enqueued is done all the same. */
  @Override
  void close();

  /** Launches kernels of a program; see {@link GpuProgram#launch}. */
  interface Launcher {
    /** Enqueues a kernel and does not wait for it. */
    void launch(
        String kernel,
        String function,
        Stream stream,
        List<KernelArgument> arguments,
        WorkSize size,
        long sharedBytes);
  }

  /** A program of two functions: one launches its kernels, the other one closes it. */
  static GpuProgram of(Launcher launcher, Runnable closer) {
    return new GpuProgram() {
      @Override
      public void launch(
          String kernel,
          String function,
          Stream stream,
          List<KernelArgument> arguments,
          WorkSize size,
          long sharedBytes) {
        launcher.launch(kernel, function, stream, arguments, size, sharedBytes);
      }

      @Override
      public void close() {
        closer.run();
      }
    };
  }
}
