package org.relaxvm.backendtestkit;

/**
 * What not every backend can do. A capability that a backend has is tested; for one that it lacks
 * it is tested that the backend says so as the SPI asks, instead of failing in some other way.
 */
public enum Capability {
  /** The provider is listed in {@code META-INF/services}; else it must not be found there. */
  DISCOVERABLE,
  /** Blocks are host memory; else they must be of a class of the backend's own. */
  HOST_MEMORY,
  /** The devices load modules; else they must not implement {@code ModuleLoader}. */
  MODULES,
  /**
   * The first device copies to at least one other of the backend without the host; else it must not
   * implement {@code PeerCopy}.
   */
  PEER_COPY,
  /** Kernels take tensors with strides; else they must refuse them with a typed error. */
  STRIDED_TENSORS,
  /** Kernels cast float8_e4m3fn and float8_e5m2; else they must refuse them with a typed error. */
  FLOAT8,
  /** Kernels compute float16; else they must refuse it with a typed error. */
  FLOAT16,
  /** Kernels compute bfloat16; else they must refuse it with a typed error. */
  BFLOAT16,
  /** Kernels compute float64; else they must refuse it with a typed error. */
  FLOAT64,
  /** Kernels compute integers of all sizes; else they must refuse them with a typed error. */
  INTEGERS,
  /** The device holds nothing and works on after it was closed; else it must refuse everything. */
  WORKS_AFTER_CLOSE
}
