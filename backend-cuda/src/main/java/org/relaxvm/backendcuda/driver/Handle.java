package org.relaxvm.backendcuda.driver;

/**
 * What the driver made, and {@link Cuda} releases. Only the {@link Cuda} that gave a handle can use
 * it.
 */
public sealed interface Handle {
  /** What the driver knows it by; for other libraries of CUDA in this process. */
  long address();

  /** What memory, streams and modules of a device belong to. */
  non-sealed interface Context extends Handle {}

  /** Work that is done in order. */
  non-sealed interface Stream extends Handle {}

  /** A point in a stream. */
  non-sealed interface Event extends Handle {}

  /** Kernels that are loaded. */
  non-sealed interface Module extends Handle {}

  /** A kernel of a module; it lives as long as the module. */
  non-sealed interface Function extends Handle {}

  /** Work that was recorded and can be launched as a whole. */
  non-sealed interface Graph extends Handle {}
}
