package org.relaxvm.interoptvm.object;

import java.util.List;
import org.relaxvm.vmcore.binary.ByteCursor;

/**
 * A section of a Mach-O library.
 *
 * @param file its bytes in the file; none of a section that is zero once loaded
 */
record MachOSection(long address, long size, Span file, ObjectSymbol.Kind kind) {
  private static final int SEGMENT_BYTES = 72;
  private static final int SECTION_BYTES = 80;
  private static final int TYPE = 0xFF;
  private static final int ZERO = 0x1;
  private static final int ZERO_LARGE = 0xC;
  private static final int FIRST_THREAD_LOCAL = 0x11;
  private static final int LAST_THREAD_LOCAL = 0x15;
  private static final int THREAD_LOCAL_ZERO = 0x12;
  private static final long CODE = 0x8000_0400L;

  /** Adds the sections of a segment. */
  static void readAll(FileView view, Span command, List<MachOSection> all) {
    long at = command.offset();
    long count = view.u32(at + 64, "number of sections");
    long room = (command.length() - SEGMENT_BYTES) / SECTION_BYTES;
    if (command.length() < SEGMENT_BYTES || count > room) {
      throw view.fail(
          at + 64,
          "number of sections",
          "at most " + Math.max(room, 0) + " in a command of " + command.length() + " bytes",
          Long.toString(count),
          ByteCursor.DAMAGED);
    }
    view.span(
        view.u64(at + 40, "segment offset"), view.u64(at + 48, "segment size"), at + 40, "segment");
    for (long i = 0; i < count; i++) {
      all.add(read(view, at + SEGMENT_BYTES + i * SECTION_BYTES));
    }
  }

  private static MachOSection read(FileView view, long at) {
    long address = view.u64(at + 32, "section address");
    long size = view.u64(at + 40, "section size");
    if (address < 0 || size < 0 || address > Long.MAX_VALUE - size) {
      throw view.fail(
          at + 32,
          "section",
          "an address of at most 63 bits",
          Long.toUnsignedString(size) + " bytes at " + AddressMap.hex(address),
          ByteCursor.DAMAGED);
    }
    long flags = view.u32(at + 64, "section flags");
    int type = (int) flags & TYPE;
    boolean zero = type == ZERO || type == ZERO_LARGE || type == THREAD_LOCAL_ZERO;
    Span file =
        zero
            ? new Span(0, 0)
            : view.span(view.u32(at + 48, "section offset"), size, at + 48, "section");
    boolean threadLocal = type >= FIRST_THREAD_LOCAL && type <= LAST_THREAD_LOCAL;
    ObjectSymbol.Kind other = threadLocal ? ObjectSymbol.Kind.OTHER : ObjectSymbol.Kind.DATA;
    return new MachOSection(
        address, size, file, (flags & CODE) != 0 ? ObjectSymbol.Kind.FUNCTION : other);
  }

  /** A symbol in this section. */
  ObjectSymbol symbol(String name, long at, long length) {
    if (kind == ObjectSymbol.Kind.OTHER) {
      return new ObjectSymbol(name, at, length, kind, -1, 0);
    }
    long fileBytes = Math.clamp(file.length() - (at - address), 0, length);
    long offset = file.offset() + Math.min(at - address, file.length());
    return new ObjectSymbol(name, at, length, kind, offset, fileBytes);
  }
}
