package org.relaxvm.backendcuda.context;

/** A stream, as its device's context knows it. */
public interface Working {
  /** What it was given since it was waited for. */
  RecentKernels kernels();

  /** Waits for all that it was given, unless it is recording. Never throws; for any thread. */
  void finish();
}
