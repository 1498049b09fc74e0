package org.relaxvm.interoptvm.library;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoptvm.device.DeviceModuleReader;
import org.relaxvm.vmcore.binary.ByteCursor;
import org.relaxvm.vmcore.binary.FormatError;
import org.relaxvm.vmcore.binary.FormatProblem;

/**
 * Reads the modules of a library of Apache TVM 0.20 or older. Modules carry no length there, so
 * each is measured by reading it.
 *
 * <p>Source: docs/spec/relay-register-vm.md, sections 15.5 and 15.6.
 */
final class OldLibraryBinReader {
  private static final FormatProblem INVALID =
      FormatProblem.of("malformed module list of a library");

  private static final String TREE = "_import_tree";
  private static final Set<String> STRINGS =
      Set.of(ModuleNode.EXECUTABLE, ModuleNode.OLD_EXECUTABLE, ModuleNode.RELAY_EXECUTABLE);

  // A kind, even an empty one, has a length.
  private static final int MODULE_BYTES = 8;

  private final MemorySegment symbol;
  private final ByteCursor in;
  private final List<String> kinds = new ArrayList<>();
  private final List<MemorySegment> contents = new ArrayList<>();
  private List<List<Integer>> children = List.of();

  OldLibraryBinReader(MemorySegment symbol) {
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
    this.symbol = symbol.asSlice(0, Long.BYTES + length);
    in = new ByteCursor(this.symbol);
    in.section(INVALID);
    in.i64("byte length");
  }

  LibraryBin read() {
    int count = in.count("number of modules", MODULE_BYTES);
    boolean tree = false;
    for (int i = 0; i < count; i++) {
      in.item("module", i, count);
      long at = in.position();
      String kind = in.string("kind");
      if (kind.equals(TREE)) {
        if (tree) {
          throw in.fail(at, "kind", "one import tree", "a second one", ByteCursor.DAMAGED);
        }
        tree = true;
        readTree();
      } else {
        addModule(at, kind);
      }
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
    return tree ? withTree() : importedByCode();
  }

  private void addModule(long at, String kind) {
    if (kind.isEmpty()) {
      throw in.fail(at, "kind", "a name", "an empty string", ByteCursor.DAMAGED);
    }
    if (kind.equals(ModuleNode.LIBRARY) && kinds.contains(ModuleNode.LIBRARY)) {
      throw in.fail(
          at,
          "kind",
          "another than that of module "
              + kinds.indexOf(ModuleNode.LIBRARY)
              + ", for a library has its code once",
          "'" + kind + "'",
          ByteCursor.DAMAGED);
    }
    contents.add(content(kind));
    kinds.add(kind);
  }

  private MemorySegment content(String kind) {
    if (kind.equals(ModuleNode.LIBRARY)) {
      return MemorySegment.ofArray(new byte[0]);
    }
    if (STRINGS.contains(kind)) {
      return in.slice(in.count("byte length of the content", 1), "content");
    }
    MemorySegment remaining = symbol.asSlice(in.position());
    if (DeviceModuleReader.OLD_KINDS.contains(kind)) {
      return in.slice(DeviceModuleReader.oldLength(kind, remaining), "content");
    }
    if (kind.equals(ModuleKinds.CONST_LOADER)) {
      return in.slice(ConstLoader.length(remaining), "content");
    }
    throw new InvalidProgramException(
        ErrorKind.VALUE,
        "module "
            + kinds.size()
            + " of the library is of the kind "
            + kind
            + ", whose length Apache TVM 0.20 and older do not write\n  expected: one of "
            + String.join(", ", known())
            + "\n  what to do: compile the model without such a module, or export it with Apache"
            + " TVM 0.21 or newer");
  }

  private static Set<String> known() {
    Set<String> known = new TreeSet<>(STRINGS);
    known.addAll(DeviceModuleReader.OLD_KINDS);
    known.add(ModuleKinds.CONST_LOADER);
    return known;
  }

  private void readTree() {
    long at = in.position();
    long[] ends = in.longs("ends of children");
    if (ends.length == 0) {
      throw in.fail(at, "number of ends of children", "1 or more", "0", ByteCursor.DAMAGED);
    }
    long[] indexes = in.longs("children");
    List<List<Integer>> all = new ArrayList<>();
    for (int i = 0; i < ends.length; i++) {
      long before = i == 0 ? 0 : ends[i - 1];
      boolean last = i == ends.length - 1;
      boolean fits = i == 0 ? ends[0] == 0 : ends[i] >= before && ends[i] <= indexes.length;
      if (!fits || (last && ends[i] != indexes.length)) {
        throw in.fail(
            at + Long.BYTES * (i + 1L),
            "end of children " + i,
            i == 0 ? "0" : before + " to " + indexes.length + ", and that number at the end",
            Long.toUnsignedString(ends[i]),
            ByteCursor.DAMAGED);
      }
      if (i > 0) {
        all.add(children((int) before, (int) ends[i], indexes));
      }
    }
    children = all;
  }

  private List<Integer> children(int from, int to, long[] indexes) {
    List<Integer> own = new ArrayList<>();
    for (int k = from; k < to; k++) {
      if (indexes[k] < 0 || indexes[k] > Integer.MAX_VALUE) {
        throw in.fail(
            in.position(),
            "child " + k,
            "the index of a module",
            Long.toUnsignedString(indexes[k]),
            ByteCursor.DAMAGED);
      }
      own.add((int) indexes[k]);
    }
    return own;
  }

  private LibraryBin withTree() {
    if (children.size() != kinds.size()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the import tree of the library has "
              + children.size()
              + " modules\n  expected: "
              + kinds.size()
              + ", as many as the library\n  what to do: copy or export it again");
    }
    List<ModuleNode> modules = new ArrayList<>();
    for (int i = 0; i < kinds.size(); i++) {
      modules.add(new ModuleNode(kinds.get(i), contents.get(i), children.get(i)));
    }
    return new LibraryBin(modules);
  }

  /** Without a tree the library itself is the root and imports all other modules. */
  private LibraryBin importedByCode() {
    List<ModuleNode> modules = new ArrayList<>();
    List<Integer> imports = new ArrayList<>();
    for (int i = 0; i < kinds.size(); i++) {
      if (!kinds.get(i).equals(ModuleNode.LIBRARY)) {
        modules.add(new ModuleNode(kinds.get(i), contents.get(i), List.of()));
        imports.add(modules.size());
      }
    }
    modules.addFirst(
        new ModuleNode(ModuleNode.LIBRARY, MemorySegment.ofArray(new byte[0]), imports));
    return new LibraryBin(modules);
  }
}
