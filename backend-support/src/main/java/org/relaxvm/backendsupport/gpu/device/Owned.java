package org.relaxvm.backendsupport.gpu.device;

/** A holder of native handles that belong to a device. */
public interface Owned {
  /** Releases the handles, unless they are released already. Never throws; thread-safe. */
  void releaseHandles();
}
