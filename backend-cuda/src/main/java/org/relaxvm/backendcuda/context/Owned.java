package org.relaxvm.backendcuda.context;

/** Holds handles of a device's context. */
public interface Owned {
  /** Releases the handles if that was not done yet. Never throws; thread-safe. */
  void releaseHandles();
}
