package org.relaxvm.backendcpu.kernel;

/** A kernel: computes the outputs of a call from its inputs. Stateless and thread-safe. */
@FunctionalInterface
public interface CpuKernel {
  /** Checks shapes and attributes, then computes. */
  void run(KernelCall call);
}
