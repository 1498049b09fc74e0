package org.relaxvm.interoptvm.object;

import org.relaxvm.vmcore.binary.ByteCursor;

/**
 * The program headers of a library.
 *
 * @param map what is loaded where
 * @param dynamic the table of the dynamic linker
 * @param asksForExecutableStack whether no header says that stacks need not be executable
 */
record ElfSegments(AddressMap map, Span dynamic, boolean asksForExecutableStack) {
  private static final int HEADER_BYTES = 56;
  private static final long LOAD = 1;
  private static final long DYNAMIC = 2;
  private static final long GNU_STACK = 0x6474_E551;
  private static final long EXECUTABLE = 1;

  static ElfSegments read(FileView view) {
    view.expect(HEADER_BYTES, view.u16(54, "program header size"), 54, "program header size");
    long offset = view.u64(32, "offset of the program headers");
    int count = view.u16(56, "number of program headers");
    Span table = view.table(offset, count, HEADER_BYTES, 32, "program headers");
    AddressMap map = new AddressMap(view);
    Span dynamic = null;
    long dynamicAt = 0;
    boolean executableStack = true;
    for (long at = table.offset(); at < table.end(); at += HEADER_BYTES) {
      long type = view.u32(at, "segment type");
      if (type == LOAD) {
        addLoad(view, map, at);
      } else if (type == DYNAMIC) {
        if (dynamic != null) {
          throw view.fail(at, "dynamic segment", "one", "a second one", ByteCursor.DAMAGED);
        }
        dynamic = file(view, at, "dynamic segment");
        dynamicAt = at;
      } else if (type == GNU_STACK) {
        executableStack = (view.u32(at + 4, "stack flags") & EXECUTABLE) != 0;
      }
    }
    if (dynamic == null) {
      throw view.fail(
          table.offset(),
          "program headers",
          "a dynamic segment",
          "none",
          "link it as a shared library");
    }
    checkDynamic(view, map, dynamic, dynamicAt);
    return new ElfSegments(map, dynamic, executableStack);
  }

  private static void addLoad(FileView view, AddressMap map, long at) {
    Span file = file(view, at, "segment");
    long address = view.u64(at + 16, "segment address");
    long align = view.u64(at + 48, "segment alignment");
    boolean power = align >= 0 && (align & (align - 1)) == 0;
    if (!power || (align > 1 && ((address - file.offset()) & (align - 1)) != 0)) {
      throw view.fail(
          at + 48,
          "segment alignment",
          "a power of two by which address and offset agree",
          Long.toUnsignedString(align)
              + " for address "
              + AddressMap.hex(address)
              + " and offset "
              + AddressMap.hex(file.offset()),
          ByteCursor.DAMAGED);
    }
    long memory = view.u64(at + 40, "segment size in memory");
    boolean code = (view.u32(at + 4, "segment flags") & EXECUTABLE) != 0;
    map.add(new AddressMap.Region(address, memory, file, code), at, "segment");
  }

  private static Span file(FileView view, long at, String what) {
    long offset = view.u64(at + 8, what + " offset");
    return view.span(offset, view.u64(at + 32, what + " size"), at + 8, what);
  }

  // A loader finds the table by its address, tools find it by its offset: both must see the same.
  private static void checkDynamic(FileView view, AddressMap map, Span dynamic, long at) {
    long address = view.u64(at + 16, "dynamic segment address");
    Span loaded = map.table(address, dynamic.length(), 1, at + 16, "dynamic segment");
    view.expect(dynamic.offset(), loaded.offset(), at + 16, "file offset of the dynamic segment");
  }
}
