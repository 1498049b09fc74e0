package org.relaxvm.backendcuda.kernels;

import java.util.Optional;
import org.relaxvm.backendsupport.gpu.GpuLimits;

/** Makes images of CUDA C for devices of one architecture. Thread-safe. */
public interface CudaCompiler {
  /** Its name and version, such as {@code NVRTC 12.6}: images of another one may differ. */
  String version();

  /**
   * What programs have to be scheduled for; then kernels of the library have to be {@linkplain
   * org.relaxvm.backendsupport.gpu.module.GpuDriver#wantsGeneralKernels general}, too.
   *
   * @return empty for a compiler that takes any program
   */
  default Optional<GpuLimits> preparedFor() {
    return Optional.empty();
  }

  /**
   * Compiles a program.
   *
   * @param name of the program, for messages
   * @param source in CUDA C that includes nothing
   * @return a cubin; or PTX with a 0 at its end, which the driver compiles and later architectures
   *     take too
   * @throws CompileException when the compiler refuses it
   * @throws NoCompilerException when there is no compiler, and no image of it either
   */
  byte[] compile(String name, String source, CudaTarget target);
}
