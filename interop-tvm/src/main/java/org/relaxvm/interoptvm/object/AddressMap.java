package org.relaxvm.interoptvm.object;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.relaxvm.vmcore.binary.ByteCursor;

/** Where the parts of a file come to lie in memory. */
final class AddressMap {
  private final TreeMap<Long, Region> regions = new TreeMap<>();
  private final FileView view;

  /** A map without regions. */
  AddressMap(FileView view) {
    this.view = view;
  }

  /**
   * A part of memory. What the file does not fill is zero.
   *
   * @param memory its size there
   * @param file the bytes that fill its beginning
   * @param code whether it holds code
   */
  record Region(long address, long memory, Span file, boolean code) {
    long end() {
      return address + memory;
    }

    /** How many of the bytes at an address inside the file has. */
    long fileBytes(long at, long length) {
      return Math.clamp(address + file.length() - at, 0, length);
    }
  }

  /**
   * Adds a region after all others, as loaders expect them.
   *
   * @param heldAt the header that describes it, for the error
   */
  void add(Region region, long heldAt, String what) {
    long free = regions.isEmpty() ? 0 : regions.lastEntry().getValue().end();
    if (region.address < free
        || region.memory < region.file.length()
        || region.memory > Long.MAX_VALUE - region.address) {
      throw view.fail(
          heldAt,
          what,
          "an address from "
              + hex(free)
              + " and at least the "
              + region.file.length()
              + " bytes of the file",
          Long.toUnsignedString(region.memory) + " bytes at " + hex(region.address),
          ByteCursor.DAMAGED);
    }
    if (region.memory > 0) {
      regions.put(region.address, region);
    }
  }

  /** The region that holds an address. */
  Optional<Region> find(long address) {
    Map.Entry<Long, Region> entry = regions.floorEntry(address);
    return entry == null || address >= entry.getValue().end()
        ? Optional.empty()
        : Optional.of(entry.getValue());
  }

  /** The bytes of the file from an address to the end of what the file has of its region. */
  Span remainder(long address, long heldAt, String what) {
    return find(address)
        .filter(region -> region.fileBytes(address, 1) == 1)
        .map(
            region -> {
              long skipped = address - region.address;
              return new Span(region.file.offset() + skipped, region.file.length() - skipped);
            })
        .orElseThrow(
            () ->
                view.fail(
                    heldAt,
                    "address of the " + what,
                    "one that the file fills",
                    hex(address),
                    ByteCursor.DAMAGED));
  }

  /** The bytes of a table at an address. */
  Span table(long address, long count, int entryBytes, long heldAt, String what) {
    Span remainder = remainder(address, heldAt, what);
    if (count < 0 || count > remainder.length() / entryBytes) {
      throw view.fail(
          heldAt,
          what,
          "at most " + remainder.length() / entryBytes + " entries of " + entryBytes + " bytes",
          Long.toUnsignedString(count),
          ByteCursor.DAMAGED);
    }
    return new Span(remainder.offset(), count * entryBytes);
  }

  static String hex(long address) {
    return "0x" + Long.toHexString(address);
  }
}
