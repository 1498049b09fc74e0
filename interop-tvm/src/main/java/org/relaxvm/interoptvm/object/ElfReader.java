package org.relaxvm.interoptvm.object;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.vmcore.binary.ByteCursor;

/**
 * Reads an ELF library through its program headers, as a loader does. Section headers may be
 * missing; where they are there they must say the same.
 *
 * <p>Source: System V Application Binary Interface, edition 4.1, chapters 4 and 5.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "Why does a parser of our own read libraries?"
 */
final class ElfReader {
  private static final int SHARED_LIBRARY = 3;
  private static final int SYSTEM_ANY = 0;
  private static final int SYSTEM_LINUX = 3;

  private ElfReader() {}

  static ObjectFile read(FileView view) {
    Target target = target(view);
    if (!target.isReadable()) {
      return ObjectFile.unread(target, view);
    }
    long type = view.u16(16, "file type");
    if (type != SHARED_LIBRARY) {
      throw view.fail(
          16,
          "file type",
          SHARED_LIBRARY + " (a shared library)",
          Long.toString(type),
          "link it as a shared library");
    }
    ElfSegments segments = ElfSegments.read(view);
    ElfDynamic dynamic = ElfDynamic.read(view, segments);
    ElfSymbols symbols = ElfSymbols.read(view, segments, dynamic);
    List<String> needed = new ArrayList<>();
    for (ElfDynamic.Entry entry : dynamic.needed()) {
      needed.add(symbols.text(entry, "name of a needed library"));
    }
    Optional<String> ownName =
        dynamic.get(ElfDynamic.SONAME).map(entry -> symbols.text(entry, "name of the library"));
    Map<String, ObjectSymbol> defined = new LinkedHashMap<>();
    Map<String, Boolean> undefined = new LinkedHashMap<>();
    symbols.collect(defined, undefined);
    return new ObjectFile(
        target,
        defined,
        undefined.entrySet().stream()
            .map(entry -> new UndefinedSymbol(entry.getKey(), entry.getValue()))
            .toList(),
        needed,
        ownName,
        segments.asksForExecutableStack(),
        dynamic.bindsNow(),
        view.bytes());
  }

  private static Target target(FileView view) {
    int width = oneOf(view, 4, "class (1 for 32 bits, 2 for 64)", 1, 2);
    int order = oneOf(view, 5, "byte order (1 for little, 2 for big)", 1, 2);
    oneOf(view, 6, "version", 1, 1);
    int machine = view.u16(18, "machine");
    boolean big = order == 2;
    Target target =
        Target.of(
            ObjectFormat.ELF,
            big ? Short.toUnsignedInt(Short.reverseBytes((short) machine)) : machine,
            width == 1 ? 32 : 64,
            big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    int system = view.u8(7, "operating system");
    return system == SYSTEM_ANY ? target : target.onlyFor(systemName(system));
  }

  private static String systemName(int number) {
    return switch (number) {
      case SYSTEM_LINUX -> "Linux";
      case 2 -> "NetBSD";
      case 6 -> "SunOS";
      case 9 -> "FreeBSD";
      case 12 -> "OpenBSD";
      default -> "operating system number " + number;
    };
  }

  private static int oneOf(FileView view, long at, String what, int first, int last) {
    int got = view.u8(at, what);
    if (got < first || got > last) {
      throw view.fail(
          at,
          what,
          first == last ? Integer.toString(first) : first + " or " + last,
          Integer.toString(got),
          ByteCursor.DAMAGED);
    }
    return got;
  }
}
