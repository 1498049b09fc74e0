package org.relaxvm.api.memory;

/**
 * The block sizes of the pool. Up to 64 KiB they are the multiples of 4096, as Apache TVM's pool
 * has them (docs/spec/vm-semantics.md, section 11.1); above that there are eight for each doubling,
 * so that programs whose sizes change from call to call find a block again, at the price of at most
 * an eighth.
 *
 * <p>Rationale: docs/rationale/api.md, "How does a pool know the size class of a block?"
 */
final class SizeClasses {
  private static final long PAGE = 4096;
  private static final int FIRST_LOG = 16;
  private static final int LAST_LOG = 60;
  private static final int PER_DOUBLING = 8;
  private static final int SMALL = (int) ((1L << FIRST_LOG) / PAGE) + 1;

  /** The number of classes. */
  static final int COUNT = SMALL + (LAST_LOG - FIRST_LOG) * PER_DOUBLING;

  /** The largest block. */
  static final long MAX_BYTES = 1L << LAST_LOG;

  private SizeClasses() {}

  /** The class of the smallest block that holds a size of at most {@link #MAX_BYTES}. */
  static int indexOf(long byteSize) {
    if (byteSize <= 1L << FIRST_LOG) {
      return (int) ((byteSize + PAGE - 1) / PAGE);
    }
    long last = byteSize - 1;
    int log = 63 - Long.numberOfLeadingZeros(last);
    int eighth = (int) (last >>> (log - 3)) - PER_DOUBLING;
    return SMALL + (log - FIRST_LOG) * PER_DOUBLING + eighth;
  }

  /** The class of the largest blocks that a block of at most {@link #MAX_BYTES} can stand for. */
  static int indexWithin(long byteSize) {
    int index = indexOf(byteSize);
    return blockBytes(index) > byteSize ? index - 1 : index;
  }

  /** The block size of a class, in bytes. */
  static long blockBytes(int index) {
    if (index < SMALL) {
      return index * PAGE;
    }
    int log = FIRST_LOG + (index - SMALL) / PER_DOUBLING;
    int eighths = PER_DOUBLING + (index - SMALL) % PER_DOUBLING + 1;
    return (long) eighths << (log - 3);
  }
}
