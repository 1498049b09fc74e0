package org.relaxvm.vmcore.program;

import java.util.Set;
import org.relaxvm.api.spi.Module;

/**
 * Functions in Java that a program made in memory brings for the host, such as one that compiles a
 * version of the program for the values that come. No file holds them.
 *
 * <p>Immutable and thread-safe; one serves any number of virtual machines.
 */
public interface HostFunctions {
  /** Where they come from, for messages. */
  String origin();

  /** The names of the functions. */
  Set<String> functionNames();

  /** What to do where a program must be without them, such as in a file. */
  String remedy();

  /**
   * Makes the functions for one virtual machine.
   *
   * @param linker links further programs to the devices of the virtual machine
   * @return the functions, which the virtual machine closes at its end
   */
  Module link(ProgramLinker linker);

  /** Links programs to the devices, allocators and functions of a virtual machine. Thread-safe. */
  @FunctionalInterface
  interface ProgramLinker {
    /**
     * Links a program.
     *
     * @return the bytecode functions of the program. A call takes tensors that are on the devices
     *     of their parameters, waits for the work that is under way, and for its own at the end.
     *     The caller closes it before the virtual machine ends; that waits for calls under way
     * @throws org.relaxvm.api.error.LinkException when a function is missing
     */
    Module link(Program program);
  }
}
