package org.relaxvm.vmcore.program;

import java.util.Map;
import java.util.Set;
import org.relaxvm.api.spi.Module;

/**
 * Machine code that a program contains for the host, in a native library.
 *
 * <p>Loading a library runs its code, so a reader of programs gives out what it learned from the
 * file alone, and the library is loaded when a virtual machine is linked. Where loading was not
 * allowed ({@link LoadOptions#allowNativeCode()}), linking fails and says how to allow it.
 *
 * <p>Immutable and thread-safe; one serves any number of virtual machines.
 */
public interface HostCode {
  /** The file that holds it, for messages. */
  String origin();

  /** The names of its functions, told without loading it. */
  Set<String> functionNames();

  /** What else is known of it without loading it, for people, such as {@code machine: x86-64}. */
  default Map<String, String> facts() {
    return Map.of();
  }

  /**
   * Loads the code and binds it to one virtual machine.
   *
   * @param links what the code may call
   * @return its functions, which the virtual machine closes at its end
   * @throws org.relaxvm.api.error.LinkException when it may not or cannot be loaded; nothing is
   *     held then
   */
  Module load(HostLinks links);
}
