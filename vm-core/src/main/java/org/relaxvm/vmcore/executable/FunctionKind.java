package org.relaxvm.vmcore.executable;

import org.relaxvm.api.engine.ProgramContext;

/** What a function-table entry is; the ordinal is the number on disk. */
public enum FunctionKind {
  /** A packed function, found by name when the program is linked. */
  PACKED,
  /** Bytecode. */
  VM,
  /**
   * A body compiled to native code, found in a library by {@link #COMPILED_PREFIX} and its name.
   */
  VMTIR;

  /** What the name of a compiled body has before the name of its function. */
  public static final String COMPILED_PREFIX = ProgramContext.BODY_PREFIX;
}
