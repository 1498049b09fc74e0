package org.relaxvm.interoptvm.object;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.relaxvm.vmcore.binary.ByteCursor;

/** The symbol table of a Mach-O library. */
record MachOSymbols(FileView view, Span table, Span names) {
  private static final int ENTRY_BYTES = 16;
  private static final int DEBUGGING = 0xE0;
  private static final int PRIVATE = 0x10;
  private static final int EXTERNAL = 0x01;
  private static final int TYPE = 0x0E;
  private static final int UNDEFINED = 0x0;
  private static final int ABSOLUTE = 0x2;
  private static final int IN_SECTION = 0xE;
  private static final int WEAK_REFERENCE = 0x40;

  /** The table that a load command speaks of. */
  static MachOSymbols find(FileView view, long command) {
    long offset = view.u32(command + 8, "offset of the symbols");
    long count = view.u32(command + 12, "number of symbols");
    Span table = view.table(offset, count, ENTRY_BYTES, command + 12, "symbols");
    Span names =
        view.span(
            view.u32(command + 16, "offset of the names"),
            view.u32(command + 20, "size of the names"),
            command + 16,
            "names of symbols");
    if (table.length() > 0 && table.overlaps(names)) {
      throw view.fail(
          command + 16,
          "names of symbols",
          "bytes of their own",
          "bytes that overlap the symbols",
          ByteCursor.DAMAGED);
    }
    return new MachOSymbols(view, table, names);
  }

  /** Sorts the symbols. */
  void collect(
      List<MachOSection> sections,
      Map<String, ObjectSymbol> defined,
      Map<String, Boolean> undefined) {
    Extents extents = new Extents(addresses());
    for (long at = table.offset(); at < table.end(); at += ENTRY_BYTES) {
      int flags = view.u8(at + 4, "symbol type");
      if ((flags & DEBUGGING) != 0 || (flags & EXTERNAL) == 0 || (flags & PRIVATE) != 0) {
        continue;
      }
      int type = flags & TYPE;
      long address = view.u64(at + 8, "symbol address");
      String name = name(at);
      if (type == UNDEFINED) {
        boolean weak = (view.u16(at + 6, "symbol description") & WEAK_REFERENCE) != 0;
        undefined.merge(name, weak, Boolean::logicalAnd);
      } else if (type == IN_SECTION) {
        MachOSection section = section(sections, at, address);
        long size = extents.size(address, section.address() + section.size());
        defined.putIfAbsent(name, section.symbol(name, address, size));
      } else if (type == ABSOLUTE) {
        defined.putIfAbsent(
            name, new ObjectSymbol(name, address, 0, ObjectSymbol.Kind.OTHER, -1, 0));
      }
    }
  }

  private long[] addresses() {
    return LongStream.range(0, table.length() / ENTRY_BYTES)
        .map(i -> table.offset() + i * ENTRY_BYTES)
        .filter(at -> (view.u8(at + 4, "symbol type") & DEBUGGING) == 0)
        .filter(at -> (view.u8(at + 4, "symbol type") & TYPE) == IN_SECTION)
        .map(at -> view.u64(at + 8, "symbol address"))
        .toArray();
  }

  private MachOSection section(List<MachOSection> sections, long at, long address) {
    int number = view.u8(at + 5, "symbol section");
    if (number < 1 || number > sections.size()) {
      throw view.fail(
          at + 5,
          "symbol section",
          "1 to " + sections.size(),
          Integer.toString(number),
          ByteCursor.DAMAGED);
    }
    MachOSection section = sections.get(number - 1);
    if (address < section.address() || address - section.address() > section.size()) {
      throw view.fail(
          at + 8,
          "symbol address",
          "one from "
              + AddressMap.hex(section.address())
              + " to "
              + AddressMap.hex(section.address() + section.size()),
          AddressMap.hex(address),
          ByteCursor.DAMAGED);
    }
    return section;
  }

  // Compilers put an underscore before the names of C.
  private String name(long at) {
    long begin = names.offset() + view.u32(at, "symbol name");
    String name = view.name(begin, names.end(), at, "symbol name");
    return name.startsWith("_") ? name.substring(1) : name;
  }
}
