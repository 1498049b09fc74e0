package org.relaxvm.interoptvm.object;

import java.util.Optional;
import org.relaxvm.vmcore.binary.ByteCursor;

/**
 * Finds out how many dynamic symbols there are, which the dynamic table does not say. A hash table
 * of the System V ABI or a section header does; without either the GNU hash table tells the defined
 * ones and relocations the others that matter.
 */
final class ElfSymbolCount {
  private static final int RELOCATION_BYTES = 24;

  private final FileView view;
  private final AddressMap map;
  private final ElfDynamic dynamic;
  private final ElfLayout layout;

  ElfSymbolCount(FileView view, AddressMap map, ElfDynamic dynamic, ElfLayout layout) {
    this.view = view;
    this.map = map;
    this.dynamic = dynamic;
    this.layout = layout;
  }

  /** The number of symbols, of which the first is none. */
  long find(long symbolsOffset) {
    Optional<ElfHash.Found> systemV =
        dynamic
            .get(ElfDynamic.HASH)
            .map(entry -> new ElfHash(view, map.remainder(entry.value(), entry.at(), "hash table")))
            .map(ElfHash::systemV);
    Optional<ElfHash.Found> gnu =
        dynamic
            .get(ElfDynamic.GNU_HASH)
            .map(
                entry ->
                    new ElfHash(view, map.remainder(entry.value(), entry.at(), "GNU hash table")))
            .map(ElfHash::gnu);
    systemV.ifPresent(found -> layout.add(found.table(), "hash table"));
    gnu.ifPresent(found -> layout.add(found.table(), "GNU hash table"));
    Optional<Long> headers = ElfSectionHeaders.symbolCount(view, symbolsOffset);
    Optional<Long> exact = systemV.map(ElfHash.Found::symbols).or(() -> headers);
    long hashed = gnu.map(ElfHash.Found::symbols).orElse(0L);
    long related =
        Math.max(
            related(ElfDynamic.RELA, ElfDynamic.RELASZ),
            related(ElfDynamic.JMPREL, ElfDynamic.PLTRELSZ));
    if (exact.isEmpty()) {
      return Math.max(Math.max(hashed, related), 1);
    }
    long count = exact.get();
    if (headers.isPresent() && headers.get() != count) {
      throw disagree("section header", headers.get(), count);
    }
    if (hashed > count) {
      throw disagree("GNU hash table", hashed, count);
    }
    if (related > count) {
      throw disagree("relocations", related, count);
    }
    return count;
  }

  private RuntimeException disagree(String who, long got, long count) {
    return view.fail(
        dynamic.table().offset(),
        "number of dynamic symbols",
        count
            + ", as the "
            + (dynamic.get(ElfDynamic.HASH).isPresent() ? "hash table" : "section header")
            + " says",
        got + ", as the " + who + (who.endsWith("s") ? " say" : " says"),
        ByteCursor.DAMAGED);
  }

  /** One more than the last symbol that relocations use. */
  private long related(long tableTag, long sizeTag) {
    Optional<ElfDynamic.Entry> address = dynamic.get(tableTag);
    Optional<ElfDynamic.Entry> size = dynamic.get(sizeTag);
    if (address.isEmpty() || size.isEmpty() || size.get().value() == 0) {
      return 0;
    }
    ElfDynamic.Entry from = address.get();
    Span table = map.table(from.value(), size.get().value(), 1, size.get().at(), "relocations");
    long most = 0;
    for (long at = table.offset(); at + RELOCATION_BYTES <= table.end(); at += RELOCATION_BYTES) {
      most = Math.max(most, (view.u64(at + 8, "relocation") >>> 32) + 1);
    }
    return most;
  }
}
