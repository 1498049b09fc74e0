package org.relaxvm.backendcpu.constant;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;

/** How many bytes may be kept. */
final class KeepLimit {
  private static final int HEAP_SHARE = 4;
  private static final long MEBIBYTE = 1 << 20;

  private KeepLimit() {}

  /**
   * The limit in bytes.
   *
   * @param setting in MiB; null for a share of the heap
   */
  static long bytes(@Nullable String setting, LongSupplier heap) {
    if (setting == null || setting.isEmpty()) {
      return heap.getAsLong() / HEAP_SHARE;
    }
    if (!setting.matches("[0-9]{1,9}")) {
      throw new BackendException(
          ErrorKind.VALUE,
          "-D"
              + KeptConstants.SETTING
              + " must be a number of MiB, 0 to keep nothing, but is '"
              + setting
              + "'");
    }
    return Long.parseLong(setting) * MEBIBYTE;
  }
}
