package org.relaxvm.interoptvm.load;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.interoptvm.call.Binding;
import org.relaxvm.interoptvm.call.CellFunction;
import org.relaxvm.interoptvm.call.ValueFunction;

/** How the functions of a library are named and called, by the releases that export it. */
public enum Convention {
  /** Cells of a type and a value; symbols with a prefix. */
  FROM_0_21("__tvm_ffi_") {
    @Override
    boolean isPackedFunction(String name) {
      // The others begin with a fourth and fifth underscore, as compiled functions do.
      return Stream.of("_metadata_", "_doc_", "_library_").noneMatch(name::startsWith);
    }

    @Override
    PackedFunc function(String name, MemorySegment address, Binding binding) {
      return new CellFunction(name, address, binding);
    }
  },
  /** An array of values and one of type codes; symbols without a prefix. */
  UP_TO_0_20("") {
    @Override
    boolean isPackedFunction(String name) {
      // Those of the compiler and the linker have reserved names; packed functions do not, but for
      // compiled ones and those that take constants.
      return Stream.of(COMPILED, "__init_").anyMatch(name::startsWith)
          || !(name.startsWith("__") || name.equals("_init") || name.equals("_fini"));
    }

    @Override
    PackedFunc function(String name, MemorySegment address, Binding binding) {
      return new ValueFunction(name, address, binding);
    }
  };

  /** What the name of a compiled function of the virtual machine begins with. */
  public static final String COMPILED = "__vmtir__";

  private final String prefix;

  Convention(String prefix) {
    this.prefix = prefix;
  }

  /** What the symbol of a packed function begins with. */
  public String prefix() {
    return prefix;
  }

  /** The names of the packed functions among symbols. */
  public Set<String> functionNames(Set<String> symbols) {
    Set<String> names = new TreeSet<>();
    for (String symbol : symbols) {
      if (symbol.startsWith(prefix) && isPackedFunction(symbol.substring(prefix.length()))) {
        names.add(symbol.substring(prefix.length()));
      }
    }
    return names;
  }

  /** Whether a function whose symbol has the prefix is one that programs call. */
  abstract boolean isPackedFunction(String name);

  abstract PackedFunc function(String name, MemorySegment address, Binding binding);
}
