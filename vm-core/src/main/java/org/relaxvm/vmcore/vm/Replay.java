package org.relaxvm.vmcore.vm;

import org.jspecify.annotations.Nullable;

/** How a captured call is made again. Used by one thread at a time. */
interface Replay extends AutoCloseable {
  /** Makes the call again and waits for it. */
  void run();

  /** The result, borrowed; the same tensors each time, with the content of the last run. */
  @Nullable Object result();

  /** How many kernels and copies were recorded. */
  int size();

  /** Releases what is held for it. */
  @Override
  void close();
}
