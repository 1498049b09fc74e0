package org.relaxvm.interoptvm.object;

import java.util.Optional;
import org.relaxvm.vmcore.binary.ByteCursor;

/** The section headers, of which only the one of the dynamic symbols matters. */
final class ElfSectionHeaders {
  private static final int HEADER_BYTES = 64;
  private static final long DYNAMIC_SYMBOLS = 11;
  private static final int SYMBOL_BYTES = 24;

  private ElfSectionHeaders() {}

  /** The number of dynamic symbols, if there are headers that say it. */
  static Optional<Long> symbolCount(FileView view, long symbolsOffset) {
    long offset = view.u64(40, "offset of the section headers");
    if (offset == 0) {
      return Optional.empty();
    }
    int count = view.u16(60, "number of section headers");
    if (count > 0) {
      view.expect(HEADER_BYTES, view.u16(58, "section header size"), 58, "section header size");
    }
    Span table = view.table(offset, count, HEADER_BYTES, 40, "section headers");
    for (long at = table.offset(); at < table.end(); at += HEADER_BYTES) {
      if (view.u32(at + 4, "section type") == DYNAMIC_SYMBOLS) {
        return Optional.of(symbols(view, at, symbolsOffset));
      }
    }
    return Optional.empty();
  }

  // Tools that show a file read the headers, the loader does not: both must see the same symbols.
  private static long symbols(FileView view, long at, long symbolsOffset) {
    long offset = view.u64(at + 24, "offset of the dynamic symbols");
    if (offset != symbolsOffset) {
      throw view.fail(
          at + 24,
          "section of the dynamic symbols",
          "byte " + symbolsOffset + ", as the dynamic table says",
          "byte " + Long.toUnsignedString(offset),
          ByteCursor.DAMAGED);
    }
    long size = view.u64(at + 32, "size of the dynamic symbols");
    return view.span(offset, size, at + 32, "section of the dynamic symbols").length()
        / SYMBOL_BYTES;
  }
}
