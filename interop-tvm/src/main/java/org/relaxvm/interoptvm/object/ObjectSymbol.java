package org.relaxvm.interoptvm.object;

/**
 * A symbol that a library defines and shows to others.
 *
 * @param name the name as C has it
 * @param address where it lies in memory, relative to where the library will be
 * @param size in bytes; where a format has none, up to the next symbol or the end of the section
 * @param fileOffset the first of its bytes in the file, or -1 if it has none
 * @param fileBytes how many of its bytes the file has; the rest are zeros once loaded
 */
public record ObjectSymbol(
    String name, long address, long size, Kind kind, long fileOffset, long fileBytes) {

  /** What a symbol stands for. */
  public enum Kind {
    /** Code. */
    FUNCTION,
    /** A variable or a constant. */
    DATA,
    /** Something else: an absolute number, a thread's own variable, a name without a type. */
    OTHER
  }
}
