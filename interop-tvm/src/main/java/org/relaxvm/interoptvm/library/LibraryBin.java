package org.relaxvm.interoptvm.library;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.vmcore.binary.ByteSink;
import org.relaxvm.vmcore.executable.ReadOptions;

/**
 * The modules of an exported library and what imports what, as the symbol {@link #SYMBOL} of the
 * library holds them. Module 0 is the root. A module may be imported by several, always by ones in
 * front of it, so that there are no cycles.
 *
 * <p>Source: docs/spec/native-library.md, section 4. Immutable and thread-safe.
 *
 * @param modules at least one
 */
public record LibraryBin(List<ModuleNode> modules) {
  /** The symbol that holds the container. */
  public static final String SYMBOL = "__tvm_ffi__library_bin";

  /** The symbol of Apache TVM 0.20 and older, where the container has another layout. */
  public static final String OLD_SYMBOL = "__tvm_dev_mblob";

  /**
   * Copies the list and checks it.
   *
   * @throws InvalidProgramException when there is no module, one has no kind, a second one stands
   *     for the library's own code, that one has bytes, or a child is not after its parent
   */
  public LibraryBin {
    modules = List.copyOf(modules);
    if (modules.isEmpty()) {
      throw invalid("a library must have a root module, but has no modules");
    }
    int library = -1;
    for (int i = 0; i < modules.size(); i++) {
      ModuleNode node = modules.get(i);
      if (node.kind().isEmpty()) {
        throw invalid("module " + i + " must have a kind");
      }
      for (int child : node.children()) {
        if (child <= i || child >= modules.size()) {
          throw invalid(
              "child "
                  + child
                  + " of module "
                  + i
                  + " must be one after it and before "
                  + modules.size());
        }
      }
      if (node.isLibrary()) {
        if (library >= 0) {
          throw invalid("modules " + library + " and " + i + " both stand for the library's code");
        }
        if (node.bytes().byteSize() > 0) {
          throw invalid("module " + i + " stands for the library's code and must have no bytes");
        }
        library = i;
      }
    }
  }

  private static InvalidProgramException invalid(String what) {
    return new InvalidProgramException(ErrorKind.VALUE, what);
  }

  /**
   * Reads a container.
   *
   * @param symbol the content of the symbol, all of it; native or not, aligned or not. The result
   *     has views of it. Bytes after the container are ignored
   * @throws MalformedFileException that names the byte, what was expected and what is there
   */
  public static LibraryBin read(MemorySegment symbol) {
    return new LibraryBinReader(symbol).read();
  }

  /**
   * Reads a container of Apache TVM 0.20 or older.
   *
   * @param symbol the content of the symbol {@link #OLD_SYMBOL}, as for {@link #read}
   * @throws MalformedFileException that names the byte, what was expected and what is there
   * @throws InvalidProgramException when a module is of a kind that cannot be measured
   */
  public static LibraryBin readOld(MemorySegment symbol) {
    return new OldLibraryBinReader(symbol).read();
  }

  /** The container of a library that has nothing but its own machine code. */
  public static LibraryBin ofCodeAlone() {
    return new LibraryBin(
        List.of(new ModuleNode(ModuleNode.LIBRARY, MemorySegment.ofArray(new byte[0]), List.of())));
  }

  /** The module that a program is loaded from. */
  public ModuleNode root() {
    return modules.getFirst();
  }

  /** The index of the module that stands for the library's own machine code. */
  public Optional<Integer> library() {
    for (int i = 0; i < modules.size(); i++) {
      if (modules.get(i).isLibrary()) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  /**
   * The indexes of the modules in the order in which names are searched from the root: a module,
   * then what it imports, depth first. Each once, where it comes first; what nobody imports is left
   * out.
   */
  public List<Integer> searchOrder() {
    List<Integer> order = new ArrayList<>();
    BitSet seen = new BitSet();
    // Not recursive: a file decides how deep it goes.
    ArrayDeque<Integer> next = new ArrayDeque<>(List.of(0));
    while (!next.isEmpty()) {
      int index = next.pop();
      if (seen.get(index)) {
        continue;
      }
      seen.set(index);
      order.add(index);
      modules.get(index).children().reversed().forEach(next::push);
    }
    return order;
  }

  /**
   * What is in a module.
   *
   * @param options how an executable is read
   * @throws RelaxException when the bytes do not follow the format of the module's kind
   */
  public ModuleContent content(int index, ReadOptions options) {
    ModuleNode node = modules.get(index);
    try {
      return ModuleKinds.parse(node, options);
    } catch (RelaxException e) {
      e.addLocation("module " + index + " of the library, of kind " + node.kind());
      throw e;
    }
  }

  /** The bytes of the container: equal ones for what was read. */
  public byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ByteSink length = ByteSink.counting();
      writeRemainder(length);
      ByteSink out = ByteSink.to(bytes);
      out.i64(length.written());
      writeRemainder(out);
      out.flush();
    } catch (IOException e) {
      throw new IllegalStateException("memory takes every byte", e);
    }
    return bytes.toByteArray();
  }

  private void writeRemainder(ByteSink out) throws IOException {
    out.i64(modules.size() + 1L);
    long end = 0;
    out.i64(end);
    for (ModuleNode node : modules) {
      end += node.children().size();
      out.i64(end);
    }
    out.i64(end);
    for (ModuleNode node : modules) {
      for (int child : node.children()) {
        out.i64(child);
      }
    }
    for (ModuleNode node : modules) {
      out.string(node.kind());
      if (!node.isLibrary()) {
        out.i64(node.bytes().byteSize());
        out.segment(node.bytes());
      }
    }
  }
}
