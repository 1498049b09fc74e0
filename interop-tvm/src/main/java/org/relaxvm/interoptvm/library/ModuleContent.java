package org.relaxvm.interoptvm.library;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.relaxvm.interoptvm.device.DeviceModule;
import org.relaxvm.vmcore.executable.ReadResult;

/** What is in a module of a library. Immutable; segments are read-only views of the file. */
public sealed interface ModuleContent permits ConstLoader, ModuleContent.Simple {
  /** Contents without behaviour of their own. */
  sealed interface Simple extends ModuleContent {}

  /** Bytecode and constants; not verified. */
  record ExecutableContent(ReadResult result) implements Simple {}

  /** The library's own machine code. */
  record LibraryCode() implements Simple {}

  /** Kernels for a device. */
  record DeviceContent(DeviceModule module) implements Simple {}

  /**
   * Object code that a linker takes; it cannot be run from here.
   *
   * @param functions names of the functions in it
   */
  record StaticLibrary(MemorySegment objects, List<String> functions) implements Simple {
    /** Copies the list. */
    public StaticLibrary {
      objects = objects.asReadOnly();
      functions = List.copyOf(functions);
    }
  }

  /**
   * A part of the program for a library of another vendor, as a graph in JSON; it cannot be run
   * from here.
   *
   * @param runtime the module's kind, such as {@code dnnl_json}
   * @param symbol the function that the graph is
   * @param constants names of the constants that it is initialised with
   */
  record JsonRuntime(String runtime, String symbol, String graph, List<String> constants)
      implements Simple {
    /** Copies the list. */
    public JsonRuntime {
      constants = List.copyOf(constants);
    }
  }

  /** A module of a kind that is not known, or known by name only. */
  record Unknown(String kind, MemorySegment bytes) implements Simple {
    /** Makes the view read-only. */
    public Unknown {
      bytes = bytes.asReadOnly();
    }
  }
}
