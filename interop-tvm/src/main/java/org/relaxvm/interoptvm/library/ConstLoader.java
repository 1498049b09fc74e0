package org.relaxvm.interoptvm.library;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.relaxvm.api.Tensor;
import org.relaxvm.vmcore.binary.ByteCursor;
import org.relaxvm.vmcore.binary.FormatProblem;
import org.relaxvm.vmcore.binary.TensorBlob;

/**
 * The constants of modules that other libraries run, and which module needs which.
 *
 * <p>Source: docs/spec/native-library.md, section 4.3. Immutable; the tensors are on the host,
 * read-only and released by the garbage collector.
 *
 * @param constants the tensors by name
 * @param needs the names of the constants that the function of a symbol is initialised with
 */
public record ConstLoader(
    SequencedMap<String, Tensor> constants, SequencedMap<String, List<String>> needs)
    implements ModuleContent {
  private static final FormatProblem INVALID = FormatProblem.of("malformed module of constants");

  // Magic, reserved word, device, rank, dtype, byte size.
  private static final int TENSOR_BYTES = 40;

  /** Copies the maps. */
  public ConstLoader {
    constants = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(constants));
    SequencedMap<String, List<String>> copies = new LinkedHashMap<>();
    needs.forEach((symbol, names) -> copies.put(symbol, List.copyOf(names)));
    needs = Collections.unmodifiableSequencedMap(copies);
  }

  /** Reads a module. */
  static ConstLoader read(MemorySegment bytes) {
    ByteCursor in = new ByteCursor(bytes);
    ConstLoader read = read(in);
    ModuleKinds.requireEnd(in);
    return read;
  }

  /** The number of bytes of the module that begins here. */
  static long length(MemorySegment bytes) {
    ByteCursor in = new ByteCursor(bytes);
    read(in);
    return in.position();
  }

  private static ConstLoader read(ByteCursor in) {
    in.section(INVALID);
    SequencedMap<String, Tensor> constants = constants(in);
    in.section(INVALID);
    return new ConstLoader(constants, needs(in, constants));
  }

  private static SequencedMap<String, Tensor> constants(ByteCursor in) {
    List<String> names = ModuleKinds.strings(in, "variable name");
    requireAsMany(in, "number of tensors", TENSOR_BYTES, names.size(), "names");
    Arena copies = Arena.ofAuto();
    SequencedMap<String, Tensor> constants = new LinkedHashMap<>();
    for (String name : names) {
      in.item("tensor", constants.size(), names.size());
      long at = in.position();
      if (constants.putLast(name, TensorBlob.read(in, copies)) != null) {
        throw twice(in, at, name);
      }
    }
    return constants;
  }

  private static SequencedMap<String, List<String>> needs(
      ByteCursor in, SequencedMap<String, Tensor> constants) {
    List<String> symbols = ModuleKinds.strings(in, "symbol");
    requireAsMany(in, "number of lists of constants", Long.BYTES, symbols.size(), "symbols");
    SequencedMap<String, List<String>> needs = new LinkedHashMap<>();
    for (String symbol : symbols) {
      in.item("list of constants", needs.size(), symbols.size());
      long at = in.position();
      List<String> names = ModuleKinds.strings(in, "constant name");
      for (String name : names) {
        if (!constants.containsKey(name)) {
          throw in.fail(
              at,
              "constant name",
              "one of the " + constants.size() + " variable names",
              "'" + name + "'",
              ByteCursor.DAMAGED);
        }
      }
      if (needs.putLast(symbol, names) != null) {
        throw twice(in, at, symbol);
      }
    }
    return needs;
  }

  private static void requireAsMany(
      ByteCursor in, String field, int minimumBytes, int expected, String others) {
    long at = in.position();
    int count = in.count(field, minimumBytes);
    if (count != expected) {
      throw in.fail(
          at,
          field,
          expected + ", as many as " + others,
          Integer.toString(count),
          ByteCursor.DAMAGED);
    }
  }

  private static RuntimeException twice(ByteCursor in, long at, String name) {
    return in.fail(at, "name", "each name once", "'" + name + "' again", ByteCursor.DAMAGED);
  }
}
