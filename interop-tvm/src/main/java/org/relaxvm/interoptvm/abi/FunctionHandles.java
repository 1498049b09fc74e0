package org.relaxvm.interoptvm.abi;

/** Handles of functions that compiled code calls by name: a number with a mark. */
public final class FunctionHandles {
  /** No address of a program's memory begins so: such handles are told from all pointers. */
  public static final long TAG = 0x5256_4D00_0000_0000L;

  /** The bits of {@link #TAG}. */
  public static final long TAG_MASK = 0xFFFF_FF00_0000_0000L;

  /**
   * The upper half of the handle of a function that gives null and does nothing else. Machine code
   * of the shim calls it without asking Java.
   */
  public static final long OF_NULL = TAG | 1L << 32;

  private FunctionHandles() {}
}
