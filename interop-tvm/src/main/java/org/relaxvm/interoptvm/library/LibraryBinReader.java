package org.relaxvm.interoptvm.library;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.relaxvm.vmcore.binary.ByteCursor;
import org.relaxvm.vmcore.binary.FormatError;
import org.relaxvm.vmcore.binary.FormatProblem;

/** Reads one container. Source: docs/spec/native-library.md, section 4.1. */
final class LibraryBinReader {
  private static final FormatProblem INVALID =
      FormatProblem.of("malformed module list of a library");

  // The kind of a module, even an empty one, has a length.
  private static final int MODULE_BYTES = 8;

  private final ByteCursor in;
  private int count;
  private int library = -1;

  LibraryBinReader(MemorySegment symbol) {
    ByteCursor head = new ByteCursor(symbol);
    head.section(INVALID);
    long length = head.i64("byte length");
    if (length < 0 || length > head.remaining()) {
      throw FormatError.of(
          INVALID,
          0,
          "byte length",
          "at most " + head.remaining() + ", for so many bytes of the symbol are left",
          Long.toUnsignedString(length),
          ByteCursor.CUT_SHORT);
    }
    in = new ByteCursor(symbol.asSlice(0, Long.BYTES + length));
    in.section(INVALID);
    in.i64("byte length");
  }

  LibraryBin read() {
    List<List<Integer>> children = children();
    List<ModuleNode> modules = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      in.item("module", i, count);
      modules.add(module(i, children.get(i)));
    }
    if (in.remaining() > 0) {
      in.section(INVALID);
      throw in.fail(
          in.position(),
          "end of the last module",
          "no more bytes",
          in.remaining() + " bytes",
          ByteCursor.DAMAGED);
    }
    return new LibraryBin(modules);
  }

  private List<List<Integer>> children() {
    long at = in.position();
    long[] ends = in.longs("ends of children");
    if (ends.length < 2) {
      throw in.fail(
          at,
          "number of ends of children",
          "2 or more, for there is a root module",
          Integer.toString(ends.length),
          ByteCursor.DAMAGED);
    }
    count = ends.length - 1;
    long indexesAt = in.position();
    long[] indexes = in.longs("children");
    if (count > in.remaining() / MODULE_BYTES) {
      throw in.fail(
          at,
          "number of ends of children",
          "at most " + (in.remaining() / MODULE_BYTES + 1) + ", for the modules follow",
          Integer.toString(ends.length),
          ByteCursor.CUT_SHORT);
    }
    long before = 0;
    for (int i = 0; i < ends.length; i++) {
      boolean last = i == ends.length - 1;
      boolean fits = i == 0 ? ends[i] == 0 : ends[i] >= before && ends[i] <= indexes.length;
      if (!fits || (last && ends[i] != indexes.length)) {
        throw in.fail(
            at + Long.BYTES * (i + 1L),
            "end of children " + i,
            expectedEnd(i, last, before, indexes.length),
            Long.toUnsignedString(ends[i]),
            ByteCursor.DAMAGED);
      }
      before = ends[i];
    }
    List<List<Integer>> children = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      List<Integer> own = new ArrayList<>();
      for (int k = (int) ends[i]; k < ends[i + 1]; k++) {
        if (indexes[k] <= i || indexes[k] >= count) {
          throw in.fail(
              indexesAt + Long.BYTES * (k + 1L),
              "child of module " + i,
              i == count - 1
                  ? "none, for it is the last module"
                  : "a module behind it, " + (i + 1) + " to " + (count - 1),
              Long.toUnsignedString(indexes[k]),
              ByteCursor.DAMAGED);
        }
        own.add((int) indexes[k]);
      }
      children.add(own);
    }
    return children;
  }

  private static String expectedEnd(int index, boolean last, long before, int all) {
    if (index == 0) {
      return "0";
    }
    return last ? all + ", the number of children" : before + " to " + all;
  }

  private ModuleNode module(int index, List<Integer> children) {
    long at = in.position();
    String kind = in.string("kind");
    if (kind.isEmpty()) {
      throw in.fail(at, "kind", "a name", "an empty string", ByteCursor.DAMAGED);
    }
    if (kind.equals(ModuleNode.LIBRARY)) {
      if (library >= 0) {
        throw in.fail(
            at,
            "kind",
            "another than that of module " + library + ", for a library has its code once",
            "'" + kind + "'",
            ByteCursor.DAMAGED);
      }
      library = index;
      return new ModuleNode(kind, MemorySegment.ofArray(new byte[0]), children);
    }
    int length = in.count("byte length of the content", 1);
    return new ModuleNode(kind, in.slice(length, "content"), children);
  }
}
