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

  private static final int WORD = 8;

  private Cell() {}

  /** Writes a cell. */
  public static void put(long address, int type, long word) {
    // The upper half of the first word is padding, or the length of a small string.
    MemorySegment cell = RawMemory.segment(address, BYTES);
    cell.set(JAVA_LONG_UNALIGNED, 0, type);
    cell.set(JAVA_LONG_UNALIGNED, WORD, word);
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
