package org.relaxvm.backendcuda.kernels;

/** Makes images of CUDA C for devices of one architecture. Thread-safe. */
public interface CudaCompiler {
  /** Its name and version, such as {@code NVRTC 12.6}: images of another one may differ. */
  String version();

  /**
   * Compiles a program.
   *
   * @param name of the program, for messages
   * @param source in CUDA C that includes nothing
   * @return a cubin; or PTX with a 0 at its end, which the driver compiles and later architectures
   *     take too
   * @throws CompileException when the compiler refuses it
   */
  byte[] compile(String name, String source, CudaTarget target);
}
