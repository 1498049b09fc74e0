package org.relaxvm.backendcuda.context;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kernels that a stream was given since it was waited for last: those that may be at fault when
 * the device fails, since it does not tell which one was.
 *
 * <p>Written by the thread that uses the stream; read by any other one, which may miss the latest.
 */
public final class RecentKernels {
  private static final int MOST = 8;

  private final @Nullable String[] names = new @Nullable String[MOST];
  private volatile long count;

  /** A kernel was launched. */
  public void add(String name) {
    long at = count;
    names[(int) (at % MOST)] = name;
    count = at + 1;
  }

  /** All that was launched is done. */
  public void clear() {
    count = 0;
  }

  /** How many were launched. */
  long count() {
    return count;
  }

  /** The latest of them first, eight at most. */
  List<String> latest() {
    long all = count;
    List<String> latest = new ArrayList<>();
    for (long at = Math.max(0, all - MOST); at < all; at++) {
      String name = names[(int) (at % MOST)];
      if (name != null) {
        latest.add(name);
      }
    }
    Collections.reverse(latest);
    return latest;
  }
}
