package org.relaxvm.interoptvm.object;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.vmcore.binary.ByteCursor;

/** A file that holds Mach-O libraries for several processors. Its own numbers are big-endian. */
final class FatFile {
  // A Java class begins with the same bytes; what follows is its version, 45 or more.
  private static final int MOST = 42;

  private FatFile() {}

  static boolean is(FileView view) {
    return (view.startsWith(0xCA, 0xFE, 0xBA, 0xBE) || wide(view))
        && view.size() >= 8
        && number(view, 4, "number of libraries") <= MOST;
  }

  private static boolean wide(FileView view) {
    return view.startsWith(0xCA, 0xFE, 0xBA, 0xBF);
  }

  /** Reads the library for a processor, or the first. */
  static ObjectFile read(FileView view, Machine wanted) {
    boolean wide = wide(view);
    int entryBytes = wide ? 32 : 20;
    long count = number(view, 4, "number of libraries");
    Span table = view.table(8, count, entryBytes, 4, "libraries");
    List<String> names = new ArrayList<>();
    Span chosen = null;
    boolean found = false;
    for (long at = table.offset(); at < table.end(); at += entryBytes) {
      Span part = part(view, at, wide);
      int cpu = (int) number(view, at, "processor");
      Target target = MachOReader.target(cpu);
      names.add(target.machineName());
      boolean fits = !found && target.machine() == wanted;
      if (chosen == null || fits) {
        chosen = part;
        found |= fits;
      }
    }
    return library(view, chosen).among(names);
  }

  private static ObjectFile library(FileView view, @Nullable Span part) {
    if (part == null) {
      throw view.fail(4, "number of libraries", "1 or more", "0", ByteCursor.DAMAGED);
    }
    FileView library = view.part(part);
    if (!MachOReader.is(library)) {
      throw library.fail(0, "magic", "a Mach-O library", "something else", ByteCursor.DAMAGED);
    }
    return MachOReader.read(library);
  }

  private static Span part(FileView view, long at, boolean wide) {
    long offset;
    long size;
    if (wide) {
      offset = Long.reverseBytes(view.u64(at + 8, "offset of a library"));
      size = Long.reverseBytes(view.u64(at + 16, "size of a library"));
    } else {
      offset = number(view, at + 8, "offset of a library");
      size = number(view, at + 12, "size of a library");
    }
    return view.span(offset, size, at + 8, "library");
  }

  private static long number(FileView view, long at, String what) {
    return Integer.reverseBytes((int) view.u32(at, what)) & 0xFFFF_FFFFL;
  }
}
