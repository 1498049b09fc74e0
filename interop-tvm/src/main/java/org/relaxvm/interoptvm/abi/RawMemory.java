package org.relaxvm.interoptvm.abi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * Memory by address. For what compiled code points at, and for what it is given: nothing else in
 * RelaxVM works with bare addresses. A wrong address ends the process, as it does in compiled code.
 */
public final class RawMemory {
  @SuppressWarnings("restricted") // see above
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final VarHandle UNALIGNED =
      JAVA_LONG_UNALIGNED.varHandle().withInvokeExactBehavior();
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private RawMemory() {}

  /** Reads 8 bits. */
  public static byte getByte(long address) {
    return ALL.get(JAVA_BYTE, address);
  }

  /** Writes 8 bits. */
  public static void putByte(long address, byte value) {
    ALL.set(JAVA_BYTE, address, value);
  }

  /** Reads 32 bits. */
  public static int getInt(long address) {
    return ALL.get(JAVA_INT_UNALIGNED, address);
  }

  /** Writes 32 bits. */
  public static void putInt(long address, int value) {
    ALL.set(JAVA_INT_UNALIGNED, address, value);
  }

  /** Reads 64 bits. */
  public static long getLong(long address) {
    return (long) UNALIGNED.get(ALL, address);
  }

  /** Writes 64 bits. */
  public static void putLong(long address, long value) {
    UNALIGNED.set(ALL, address, value);
  }

  /** Reads an aligned word that another thread may have written with {@link #putLongRelease}. */
  public static long getLongAcquire(long address) {
    return (long) WORD.getAcquire(ALL, address);
  }

  /** Writes an aligned word after everything that was written before. */
  public static void putLongRelease(long address, long value) {
    WORD.setRelease(ALL, address, value);
  }

  /** Adds to an aligned word and gives what it was before, in one step for all threads. */
  public static long getAndAddLong(long address, long delta) {
    return (long) WORD.getAndAdd(ALL, address, delta);
  }

  /** Some bytes from an address on; whoever uses them knows that they are there. */
  public static MemorySegment segment(long address, long bytes) {
    return ALL.asSlice(address, bytes);
  }

  /** The text from an address on up to its NUL; what is no UTF-8 becomes replacement characters. */
  public static String string(long address) {
    long end = address;
    while (getByte(end) != 0) {
      end++;
    }
    return string(address, end - address);
  }

  /** A text of known length. */
  public static String string(long address, long bytes) {
    return new String(segment(address, bytes).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
  }
}
