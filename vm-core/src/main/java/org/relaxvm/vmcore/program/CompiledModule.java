package org.relaxvm.vmcore.program;

import org.relaxvm.api.spi.Module;

/** A module that was made of a program, such as the one that a remote client holds. */
public interface CompiledModule extends Module {
  /** The program. */
  Program program();
}
