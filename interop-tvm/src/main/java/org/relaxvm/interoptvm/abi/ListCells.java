package org.relaxvm.interoptvm.abi;

import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * A list of values in native memory: cells, and two numbers before the first one. Compiled code is
 * given the address of the first cell; machine code of the shim reads and writes cells there
 * (docs/spec/native-library.md, section 6.4).
 */
public final class ListCells {
  /** Bytes before the first cell. */
  public static final int HEADER_BYTES = 16;

  /** Where the number of cells is, from the first cell on; 32 bits. */
  public static final int COUNT = -16;

  /** Where the number of cells is that may be written, from the first cell on; 32 bits. */
  public static final int WRITABLE = -12;

  private ListCells() {}

  /**
   * Copies an element.
   *
   * @param cells the first cell of a list
   * @param target the cell to write
   * @throws CallException when there is no list, or no such element in it
   */
  public static void read(long cells, int index, long target) {
    int count = cells == 0 ? 0 : RawMemory.getInt(cells + COUNT);
    if (index < 0 || index >= count) {
      throw new CallException(
          ErrorKind.INDEX, "cell " + index + " of a list of " + count + " cells");
    }
    long cell = cells + (long) index * Cell.BYTES;
    Cell.put(target, Cell.type(cell), Cell.word(cell));
  }

  /** The bytes of a list with its header. */
  public static long bytes(int count) {
    return HEADER_BYTES + (long) count * Cell.BYTES;
  }

  /**
   * Writes a header and empty cells.
   *
   * @param block of {@link #bytes}
   * @return the address of the first cell
   */
  public static long init(long block, int count, boolean writable) {
    long cells = block + HEADER_BYTES;
    RawMemory.putInt(cells + COUNT, count);
    RawMemory.putInt(cells + WRITABLE, writable ? count : 0);
    for (int i = 0; i < count; i++) {
      Cell.put(cells + (long) i * Cell.BYTES, TypeIndex.NONE, 0);
    }
    return cells;
  }
}
