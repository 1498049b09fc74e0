package org.relaxvm.interoptvm.library;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * One module of a library.
 *
 * @param kind who understands the bytes, such as {@code relax.VMExecutable}
 * @param bytes the content, a read-only view of the container, not aligned; may be empty
 * @param children indexes of the modules that it imports, in the order in which they are searched
 */
public record ModuleNode(String kind, MemorySegment bytes, List<Integer> children) {
  /** The kind that stands for the library's own machine code; such a module has no bytes. */
  public static final String LIBRARY = "_lib";

  /** The kind of executables. */
  public static final String EXECUTABLE = "relax.VMExecutable";

  /** The kind of executables before it was renamed. */
  public static final String OLD_EXECUTABLE = "relax.Executable";

  /** The kind of executables of the Relay VM. */
  public static final String RELAY_EXECUTABLE = "VMExecutable";

  /** Copies the list. */
  public ModuleNode {
    bytes = bytes.asReadOnly();
    children = List.copyOf(children);
  }

  /** Whether it stands for the library's own machine code. */
  public boolean isLibrary() {
    return kind.equals(LIBRARY);
  }
}
