package org.relaxvm.interoptvm.object;

import java.util.Arrays;

/** Sizes of symbols in formats that have none: up to the next symbol. */
final class Extents {
  private final long[] addresses;

  Extents(long[] addresses) {
    this.addresses = addresses.clone();
    Arrays.sort(this.addresses);
  }

  /** The bytes from an address to the next symbol, or to {@code end} if that is nearer. */
  long size(long address, long end) {
    // Not one step at a time: a file may give a million symbols the same address.
    int next = 0;
    int limit = addresses.length;
    while (next < limit) {
      int middle = (next + limit) >>> 1;
      if (addresses[middle] <= address) {
        next = middle + 1;
      } else {
        limit = middle;
      }
    }
    return next < addresses.length ? Math.min(addresses[next], end) - address : end - address;
  }
}
