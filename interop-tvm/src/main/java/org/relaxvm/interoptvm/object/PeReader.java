package org.relaxvm.interoptvm.object;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.vmcore.binary.ByteCursor;

/**
 * Reads a PE library: its exports and what it imports.
 *
 * <p>Source: PE Format, Microsoft.
 */
final class PeReader {
  private static final long SIGNATURE = 0x4550;
  private static final int COFF_BYTES = 20;
  private static final int SECTION_BYTES = 40;
  private static final int DIRECTORIES_AT = 112;
  private static final int DIRECTORY_BYTES = 8;
  private static final int NARROW = 0x10B;
  private static final int WIDE = 0x20B;
  private static final int LIBRARY = 0x2000;
  private static final long CODE = 0x2000_0020L;

  private PeReader() {}

  static ObjectFile read(FileView view) {
    long at = view.u32(0x3C, "offset of the PE signature");
    long signature = view.u32(view.span(at, 4, 0x3C, "PE signature").offset(), "PE signature");
    if (signature != SIGNATURE) {
      throw view.fail(
          at,
          "PE signature",
          "0x" + Long.toHexString(SIGNATURE),
          "0x" + Long.toHexString(signature),
          "give a library of Windows; this file is something older or damaged");
    }
    long coff = at + 4;
    long optional = coff + COFF_BYTES;
    int kind = view.u16(optional, "kind of the optional header");
    if (kind != WIDE && kind != NARROW) {
      throw view.fail(
          optional,
          "kind of the optional header",
          WIDE + " or " + NARROW,
          Integer.toString(kind),
          ByteCursor.DAMAGED);
    }
    Target target =
        Target.of(
            ObjectFormat.PE,
            view.u16(coff, "machine"),
            kind == WIDE ? 64 : 32,
            ByteOrder.LITTLE_ENDIAN);
    if (!target.isReadable()) {
      return ObjectFile.unread(target, view);
    }
    int flags = view.u16(coff + 18, "flags");
    if ((flags & LIBRARY) == 0) {
      throw view.fail(
          coff + 18,
          "flags",
          "those of a library",
          "those of a program",
          "link it as a shared library");
    }
    int optionalBytes = view.u16(coff + 16, "size of the optional header");
    AddressMap map =
        sections(
            view, optional + optionalBytes, view.u16(coff + 2, "number of sections"), coff + 2);
    return library(target, view, map, optional, optionalBytes);
  }

  private static ObjectFile library(
      Target target, FileView view, AddressMap map, long optional, int optionalBytes) {
    long count = view.u32(optional + 108, "number of data directories");
    int room = (optionalBytes - DIRECTORIES_AT) / DIRECTORY_BYTES;
    if (optionalBytes < DIRECTORIES_AT || count > room) {
      throw view.fail(
          optional + 108,
          "number of data directories",
          "at most " + Math.max(room, 0),
          Long.toString(count),
          ByteCursor.DAMAGED);
    }
    long first = optional + DIRECTORIES_AT;
    Map<String, ObjectSymbol> defined = new LinkedHashMap<>();
    Optional<String> ownName =
        count > 0 ? new PeExports(view, map).collect(first, defined) : Optional.empty();
    List<String> needed = new ArrayList<>();
    List<UndefinedSymbol> undefined =
        count > 1 ? new PeImports(view, map).collect(first + DIRECTORY_BYTES, needed) : List.of();
    return new ObjectFile(target, defined, undefined, needed, ownName, false, true, view.bytes());
  }

  private static AddressMap sections(FileView view, long offset, int count, long heldAt) {
    Span table = view.table(offset, count, SECTION_BYTES, heldAt, "sections");
    AddressMap map = new AddressMap(view);
    for (long at = table.offset(); at < table.end(); at += SECTION_BYTES) {
      long inFile = view.u32(at + 16, "section size");
      // A section is padded in the file; some linkers leave the size in memory out.
      long declared = view.u32(at + 8, "section size in memory");
      long memory = declared == 0 ? inFile : declared;
      Span file =
          inFile == 0
              ? new Span(0, 0)
              : view.span(view.u32(at + 20, "section offset"), inFile, at + 20, "section");
      map.add(
          new AddressMap.Region(
              view.u32(at + 12, "section address"),
              memory,
              new Span(file.offset(), Math.min(file.length(), memory)),
              (view.u32(at + 36, "section flags") & CODE) != 0),
          at,
          "section");
    }
    return map;
  }
}
