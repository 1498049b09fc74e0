package org.relaxvm.interoptvm.object;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What a PE library imports. */
final class PeImports {
  private static final int LIBRARY_BYTES = 20;
  private static final int SYMBOL_BYTES = 8;
  private static final int HINT_BYTES = 2;

  private final FileView view;
  private final AddressMap map;

  PeImports(FileView view, AddressMap map) {
    this.view = view;
    this.map = map;
  }

  /**
   * Collects libraries and symbols; those imported by number have no name and are left out.
   *
   * @param directory where the file says where they are
   */
  List<UndefinedSymbol> collect(long directory, List<String> needed) {
    long address = view.u32(directory, "address of the imports");
    Set<String> names = new LinkedHashSet<>();
    if (address != 0) {
      long at = map.remainder(address, directory, "imports").offset();
      while (view.u32(at + 12, "name of an imported library") != 0) {
        needed.add(name(view.u32(at + 12, "library"), 0, at + 12, "name of an imported library"));
        long list = view.u32(at, "imported names");
        symbols(list == 0 ? view.u32(at + 16, "imported names") : list, at, names);
        at += LIBRARY_BYTES;
      }
    }
    return names.stream().map(name -> new UndefinedSymbol(name, false)).toList();
  }

  private void symbols(long list, long heldAt, Set<String> names) {
    long at = map.remainder(list, heldAt, "imported names").offset();
    long symbol = view.u64(at, "imported symbol");
    while (symbol != 0) {
      view.spend(SYMBOL_BYTES, at, "imported symbol");
      // A negative entry is a number.
      if (symbol > 0) {
        names.add(name(symbol, HINT_BYTES, at, "imported name"));
      }
      at += SYMBOL_BYTES;
      symbol = view.u64(at, "imported symbol");
    }
  }

  private String name(long address, int skipped, long heldAt, String what) {
    Span remainder = map.remainder(address, heldAt, what);
    return view.name(remainder.offset() + skipped, remainder.end(), heldAt, what);
  }
}
