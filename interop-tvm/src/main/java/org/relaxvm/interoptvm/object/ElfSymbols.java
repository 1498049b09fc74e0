package org.relaxvm.interoptvm.object;

import java.util.Map;
import java.util.Optional;
import org.relaxvm.vmcore.binary.ByteCursor;

/** The dynamic symbols and their names. */
final class ElfSymbols {
  private static final int ENTRY_BYTES = 24;
  private static final int LOCAL = 0;
  private static final int WEAK = 2;
  private static final int INTERNAL = 1;
  private static final int HIDDEN = 2;
  private static final int UNDEFINED = 0;
  private static final int ABSOLUTE = 0xFFF1;
  private static final int OBJECT = 1;
  private static final int FUNCTION = 2;
  private static final int THREAD_LOCAL = 6;
  private static final int INDIRECT_FUNCTION = 10;

  private final FileView view;
  private final AddressMap map;
  private final Span table;
  private final Span names;

  private ElfSymbols(FileView view, AddressMap map, Span table, Span names) {
    this.view = view;
    this.map = map;
    this.table = table;
    this.names = names;
  }

  static ElfSymbols read(FileView view, ElfSegments segments, ElfDynamic dynamic) {
    AddressMap map = segments.map();
    ElfLayout layout = new ElfLayout(view);
    layout.add(dynamic.table(), "dynamic table");
    ElfDynamic.Entry size = dynamic.require(ElfDynamic.STRSZ, "size of the names");
    ElfDynamic.Entry namesAt = dynamic.require(ElfDynamic.STRTAB, "names");
    Span names = map.table(namesAt.value(), size.value(), 1, namesAt.at(), "names of symbols");
    layout.add(names, "names of symbols");
    dynamic
        .get(ElfDynamic.SYMENT)
        .ifPresent(entry -> view.expect(ENTRY_BYTES, entry.value(), entry.at(), "symbol size"));
    ElfDynamic.Entry from = dynamic.require(ElfDynamic.SYMTAB, "symbols");
    long offset = map.remainder(from.value(), from.at(), "symbols").offset();
    long count = new ElfSymbolCount(view, map, dynamic, layout).find(offset);
    Span table = map.table(from.value(), count, ENTRY_BYTES, from.at(), "symbols");
    layout.add(table, "symbols");
    return new ElfSymbols(view, map, table, names);
  }

  /** A name that the dynamic table speaks of. */
  String text(ElfDynamic.Entry entry, String what) {
    return name(entry.value(), entry.at(), what);
  }

  private String name(long index, long heldAt, String what) {
    if (index < 0 || index >= names.length()) {
      throw view.fail(
          heldAt,
          what,
          "one among the " + names.length() + " bytes of names",
          "one at " + Long.toUnsignedString(index),
          ByteCursor.DAMAGED);
    }
    return view.name(names.offset() + index, names.end(), heldAt, what);
  }

  /**
   * Sorts the symbols.
   *
   * @param undefined whether each is weak
   */
  void collect(Map<String, ObjectSymbol> defined, Map<String, Boolean> undefined) {
    // The first entry is no symbol.
    for (long at = table.offset() + ENTRY_BYTES; at < table.end(); at += ENTRY_BYTES) {
      int binding = view.u8(at + 4, "symbol binding") >> 4;
      int visibility = view.u8(at + 5, "symbol visibility") & 3;
      long index = view.u32(at, "symbol name");
      if (binding == LOCAL || index == 0) {
        continue;
      }
      String name = name(index, at, "symbol name");
      if (view.u16(at + 6, "symbol section") == UNDEFINED) {
        undefined.merge(name, binding == WEAK, Boolean::logicalAnd);
      } else if (visibility != INTERNAL && visibility != HIDDEN) {
        // Of several versions of a symbol the first.
        defined.putIfAbsent(name, symbol(name, at));
      }
    }
  }

  private ObjectSymbol symbol(String name, long at) {
    int type = view.u8(at + 4, "symbol type") & 15;
    long address = view.u64(at + 8, "symbol address");
    long size = view.u64(at + 16, "symbol size");
    if (view.u16(at + 6, "symbol section") == ABSOLUTE || type == THREAD_LOCAL) {
      return new ObjectSymbol(name, address, size, ObjectSymbol.Kind.OTHER, -1, 0);
    }
    ObjectSymbol.Kind kind =
        switch (type) {
          case FUNCTION, INDIRECT_FUNCTION -> ObjectSymbol.Kind.FUNCTION;
          case OBJECT -> ObjectSymbol.Kind.DATA;
          default -> ObjectSymbol.Kind.OTHER;
        };
    Optional<AddressMap.Region> region =
        map.find(address).filter(found -> size >= 0 && size <= found.end() - address);
    if (region.isEmpty() && kind == ObjectSymbol.Kind.DATA && size != 0) {
      throw view.fail(
          at + 8,
          "symbol " + name,
          "bytes of one segment",
          Long.toUnsignedString(size) + " bytes at " + AddressMap.hex(address),
          ByteCursor.DAMAGED);
    }
    if (region.isEmpty()) {
      return new ObjectSymbol(name, address, size, kind, -1, 0);
    }
    AddressMap.Region found = region.get();
    long fileBytes = found.fileBytes(address, size);
    long offset =
        found.file().offset() + Math.min(address - found.address(), found.file().length());
    return new ObjectSymbol(name, address, size, kind, offset, fileBytes);
  }
}
