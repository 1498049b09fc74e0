package org.relaxvm.interoptvm.object;

import java.util.Map;
import java.util.Optional;
import org.relaxvm.vmcore.binary.ByteCursor;

/** The exports of a PE library. */
final class PeExports {
  private static final int HEADER_BYTES = 40;

  private final FileView view;
  private final AddressMap map;

  PeExports(FileView view, AddressMap map) {
    this.view = view;
    this.map = map;
  }

  /**
   * Collects the exported names.
   *
   * @param directory where the file says where they are
   * @return the name of the library
   */
  Optional<String> collect(long directory, Map<String, ObjectSymbol> defined) {
    long address = view.u32(directory, "address of the exports");
    long size = view.u32(directory + 4, "size of the exports");
    if (address == 0 || size == 0) {
      return Optional.empty();
    }
    long at = map.table(address, 1, HEADER_BYTES, directory, "exports").offset();
    long functionCount = view.u32(at + 20, "number of exports");
    long nameCount = view.u32(at + 24, "number of exported names");
    if (nameCount > 0) {
      long[] functions = words(at + 28, functionCount, "addresses of exports");
      long[] names = words(at + 32, nameCount, "exported names");
      Span ordinals = map.table(view.u32(at + 36, "ordinals"), nameCount, 2, at + 36, "ordinals");
      Extents extents = new Extents(functions);
      for (int i = 0; i < names.length; i++) {
        long ordinalAt = ordinals.offset() + 2L * i;
        int ordinal = view.u16(ordinalAt, "ordinal");
        if (ordinal >= functions.length) {
          throw view.fail(
              ordinalAt,
              "ordinal",
              "less than " + functions.length,
              Integer.toString(ordinal),
              ByteCursor.DAMAGED);
        }
        String name = name(names[i], at + 32, "exported name");
        long target = functions[ordinal];
        // An address inside of the table is the name of another library's symbol.
        boolean elsewhere = target >= address && target < address + size;
        defined.putIfAbsent(
            name,
            elsewhere
                ? new ObjectSymbol(name, target, 0, ObjectSymbol.Kind.OTHER, -1, 0)
                : symbol(name, target, extents, ordinalAt));
      }
    }
    long own = view.u32(at + 12, "name of the library");
    return own == 0 ? Optional.empty() : Optional.of(name(own, at + 12, "name of the library"));
  }

  private ObjectSymbol symbol(String name, long address, Extents extents, long heldAt) {
    AddressMap.Region region =
        map.find(address)
            .orElseThrow(
                () ->
                    view.fail(
                        heldAt,
                        "symbol " + name,
                        "an address of a section",
                        AddressMap.hex(address),
                        ByteCursor.DAMAGED));
    long size = extents.size(address, region.end());
    return new ObjectSymbol(
        name,
        address,
        size,
        region.code() ? ObjectSymbol.Kind.FUNCTION : ObjectSymbol.Kind.DATA,
        region.file().offset() + Math.min(address - region.address(), region.file().length()),
        region.fileBytes(address, size));
  }

  private long[] words(long heldAt, long count, String what) {
    Span table = map.table(view.u32(heldAt, what), count, 4, heldAt, what);
    long[] words = new long[Math.toIntExact(count)];
    for (int i = 0; i < words.length; i++) {
      words[i] = view.u32(table.offset() + 4L * i, what);
    }
    return words;
  }

  private String name(long address, long heldAt, String what) {
    Span remainder = map.remainder(address, heldAt, what);
    return view.name(remainder.offset(), remainder.end(), heldAt, what);
  }
}
