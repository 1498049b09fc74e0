package org.relaxvm.interoptvm.object;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.vmcore.binary.ByteCursor;

/**
 * Reads a Mach-O library. Symbols come from its symbol table, which has all that the export trie
 * has.
 *
 * <p>Source: the headers {@code mach-o/loader.h} and {@code mach-o/nlist.h}.
 */
final class MachOReader {
  private static final int HEADER_BYTES = 32;
  private static final int COMMAND_BYTES = 8;
  private static final int WIDE = 0x0100_0000;
  private static final long LIBRARY = 6;
  private static final long BUNDLE = 8;
  private static final long BINDS_AT_LOAD = 0x8;
  private static final long EXECUTABLE_STACK = 0x2_0000;

  private static final long SYMBOL_TABLE = 0x2;
  private static final long NEEDS = 0xC;
  private static final long OWN_NAME = 0xD;
  private static final long SEGMENT = 0x19;
  private static final long NEEDS_LAZILY = 0x20;
  private static final long NEEDS_WEAKLY = 0x8000_0018L;
  private static final long SHOWS_AS_OWN = 0x8000_001FL;
  private static final long NEEDS_UPWARD = 0x8000_0023L;

  private final FileView view;
  private final List<MachOSection> sections = new ArrayList<>();
  private final List<String> needed = new ArrayList<>();
  private Optional<String> ownName = Optional.empty();
  private @Nullable MachOSymbols symbols;

  private MachOReader(FileView view) {
    this.view = view;
  }

  static boolean is(FileView view) {
    return view.startsWith(0xCF, 0xFA, 0xED, 0xFE)
        || view.startsWith(0xCE, 0xFA, 0xED, 0xFE)
        || view.startsWith(0xFE, 0xED, 0xFA, 0xCF)
        || view.startsWith(0xFE, 0xED, 0xFA, 0xCE);
  }

  /** The target of a little-endian library for a processor's number. */
  static Target target(int processor) {
    return Target.of(
        ObjectFormat.MACH_O, processor, (processor & WIDE) == 0 ? 32 : 64, ByteOrder.LITTLE_ENDIAN);
  }

  static ObjectFile read(FileView view) {
    boolean big = view.startsWith(0xFE);
    int processor = (int) view.u32(4, "processor");
    boolean wide = view.startsWith(0xCF) || view.startsWith(0xFE, 0xED, 0xFA, 0xCF);
    Target target =
        Target.of(
            ObjectFormat.MACH_O,
            big ? Integer.reverseBytes(processor) : processor,
            wide ? 64 : 32,
            big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    return target.isReadable()
        ? new MachOReader(view).library(target)
        : ObjectFile.unread(target, view);
  }

  private ObjectFile library(Target target) {
    long type = view.u32(12, "file type");
    if (type != LIBRARY && type != BUNDLE) {
      throw view.fail(
          12,
          "file type",
          LIBRARY + " or " + BUNDLE + " (a library)",
          Long.toString(type),
          "link it as a shared library");
    }
    commands();
    Map<String, ObjectSymbol> defined = new LinkedHashMap<>();
    Map<String, Boolean> undefined = new LinkedHashMap<>();
    if (symbols != null) {
      symbols.collect(sections, defined, undefined);
    }
    long flags = view.u32(24, "flags");
    return new ObjectFile(
        target,
        defined,
        undefined.entrySet().stream()
            .map(entry -> new UndefinedSymbol(entry.getKey(), entry.getValue()))
            .toList(),
        needed,
        ownName,
        (flags & EXECUTABLE_STACK) != 0,
        (flags & BINDS_AT_LOAD) != 0,
        view.bytes());
  }

  private void commands() {
    long count = view.u32(16, "number of load commands");
    Span all =
        view.span(HEADER_BYTES, view.u32(20, "size of the load commands"), 20, "load commands");
    long at = all.offset();
    for (long i = 0; i < count; i++) {
      if (at > all.end() - COMMAND_BYTES) {
        throw view.fail(
            16,
            "number of load commands",
            "at most " + i + " in " + all.length() + " bytes",
            Long.toString(count),
            ByteCursor.DAMAGED);
      }
      long size = view.u32(at + 4, "size of a load command");
      if (size < COMMAND_BYTES || size > all.end() - at) {
        throw view.fail(
            at + 4,
            "size of a load command",
            COMMAND_BYTES + " to " + (all.end() - at),
            Long.toString(size),
            ByteCursor.DAMAGED);
      }
      command(view.u32(at, "load command"), new Span(at, size));
      at += size;
    }
  }

  private void command(long number, Span command) {
    if (number == SEGMENT) {
      MachOSection.readAll(view, command, sections);
    } else if (number == SYMBOL_TABLE) {
      if (symbols != null) {
        throw view.fail(
            command.offset(), "symbol table", "one", "a second one", ByteCursor.DAMAGED);
      }
      symbols = MachOSymbols.find(view, command.offset());
    } else if (number == OWN_NAME) {
      ownName = Optional.of(name(command));
    } else if (number == NEEDS
        || number == NEEDS_LAZILY
        || number == NEEDS_WEAKLY
        || number == SHOWS_AS_OWN
        || number == NEEDS_UPWARD) {
      needed.add(name(command));
    }
  }

  private String name(Span command) {
    long heldAt = command.offset() + 8;
    long at = command.offset() + view.u32(heldAt, "name of a library");
    return view.name(at, command.end(), heldAt, "name of a library");
  }
}
