package org.relaxvm.interoptvm.object;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.vmcore.binary.ByteCursor;

/** The table by which a dynamic linker finds everything else. */
final class ElfDynamic {
  static final long HASH = 4;
  static final long STRTAB = 5;
  static final long SYMTAB = 6;
  static final long RELA = 7;
  static final long RELASZ = 8;
  static final long STRSZ = 10;
  static final long SYMENT = 11;
  static final long SONAME = 14;
  static final long PLTRELSZ = 2;
  static final long JMPREL = 23;
  static final long GNU_HASH = 0x6FFF_FEF5;

  private static final long END = 0;
  private static final long NEEDED = 1;
  private static final long BIND_NOW = 24;
  private static final long FLAGS = 30;
  private static final long FLAGS_1 = 0x6FFF_FFFB;
  private static final long FLAG_BIND_NOW = 8;
  private static final long FLAG_1_NOW = 1;
  private static final int ENTRY_BYTES = 16;
  private static final Set<Long> KEPT =
      Set.of(
          HASH, STRTAB, SYMTAB, RELA, RELASZ, STRSZ, SYMENT, SONAME, PLTRELSZ, JMPREL, GNU_HASH,
          BIND_NOW, FLAGS, FLAGS_1);

  private final FileView view;
  private final Span table;
  private final Map<Long, Entry> entries = new HashMap<>();
  private final List<Entry> needed = new ArrayList<>();

  private ElfDynamic(FileView view, Span table) {
    this.view = view;
    this.table = table;
  }

  /**
   * A value of the table.
   *
   * @param at where in the file it stands
   */
  record Entry(long value, long at) {}

  static ElfDynamic read(FileView view, ElfSegments segments) {
    ElfDynamic dynamic = new ElfDynamic(view, segments.dynamic());
    dynamic.fill();
    return dynamic;
  }

  private void fill() {
    for (long at = table.offset(); at + ENTRY_BYTES <= table.end(); at += ENTRY_BYTES) {
      long tag = view.u64(at, "dynamic tag");
      if (tag == END) {
        return;
      }
      Entry entry = new Entry(view.u64(at + 8, "dynamic value"), at + 8);
      if (tag == NEEDED) {
        needed.add(entry);
      } else if (KEPT.contains(tag) && entries.put(tag, entry) != null) {
        throw view.fail(
            at, "dynamic tag", "each once", "tag " + tag + " again", ByteCursor.DAMAGED);
      }
    }
    throw view.fail(table.end(), "dynamic table", "tag 0 at the end", "none", ByteCursor.DAMAGED);
  }

  Span table() {
    return table;
  }

  List<Entry> needed() {
    return needed;
  }

  Optional<Entry> get(long tag) {
    return Optional.ofNullable(entries.get(tag));
  }

  /** An entry that every library has. */
  Entry require(long tag, String what) {
    return get(tag)
        .orElseThrow(
            () ->
                view.fail(
                    table.offset(),
                    "dynamic table",
                    "tag " + tag + ", the " + what,
                    "none",
                    ByteCursor.DAMAGED));
  }

  boolean bindsNow() {
    return get(BIND_NOW).isPresent()
        || get(FLAGS).filter(entry -> (entry.value() & FLAG_BIND_NOW) != 0).isPresent()
        || get(FLAGS_1).filter(entry -> (entry.value() & FLAG_1_NOW) != 0).isPresent();
  }
}
