package org.relaxvm.interoptvm.abi;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * An argument or a result of compiled code ({@code TVMFFIAny}): 16 bytes, a type and a word.
 * docs/spec/native-library.md, section 2.1.
 */
public final class Cell {
  /** Bytes of a cell. */
  public static final int BYTES = 16;

  /** In the second 32 bits of a result: {@link #putOwned} wrote it. */
  public static final int OWNED = 0x5256_4D4F;

  private static final int WORD = 8;

  private Cell() {}

  /** Writes a cell. */
  public static void put(long address, int type, long word) {
    // The upper half of the first word is padding, or the length of a small string.
    MemorySegment cell = RawMemory.segment(address, BYTES);
    cell.set(JAVA_LONG_UNALIGNED, 0, type);
    cell.set(JAVA_LONG_UNALIGNED, WORD, word);
  }

  /**
   * Writes a result whose owner moves along with the cell: nothing else has its address. Machine
   * code of the shim moves such a result into a register without asking Java.
   */
  public static void putOwned(long address, int type, long word) {
    put(address, type, word);
    RawMemory.putInt(address + 4, OWNED);
  }

  /** Whether {@link #putOwned} wrote the cell. */
  public static boolean isOwned(long address) {
    return RawMemory.getInt(address + 4) == OWNED;
  }

  /** The type of what a cell holds. */
  public static int type(long address) {
    return RawMemory.getInt(address);
  }

  /** The length of a small string. */
  public static int smallLength(long address) {
    return RawMemory.getInt(address + 4);
  }

  /** The value, or the address of it. */
  public static long word(long address) {
    return RawMemory.getLong(address + WORD);
  }

  /** Where the bytes of a small string begin. */
  public static long smallBytes(long address) {
    return address + WORD;
  }
}
