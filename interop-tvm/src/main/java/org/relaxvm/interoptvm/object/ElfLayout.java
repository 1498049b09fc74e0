package org.relaxvm.interoptvm.object;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.vmcore.binary.ByteCursor;

/** The tables of a library, no two of which may share bytes. */
final class ElfLayout {
  private final FileView view;
  private final List<Table> tables = new ArrayList<>();

  /** A layout without tables. */
  ElfLayout(FileView view) {
    this.view = view;
  }

  private record Table(Span span, String what) {}

  void add(Span span, String what) {
    for (Table table : tables) {
      if (table.span.overlaps(span)) {
        throw view.fail(
            span.offset(),
            what,
            "bytes of its own",
            span.length() + " bytes that overlap the " + table.what,
            ByteCursor.DAMAGED);
      }
    }
    tables.add(new Table(span, what));
  }
}
