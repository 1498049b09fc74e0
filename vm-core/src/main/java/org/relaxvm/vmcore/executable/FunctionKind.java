package org.relaxvm.vmcore.executable;

/** What a function-table entry is; the ordinal is the number on disk. */
public enum FunctionKind {
  /** A packed function, found by name when the program is linked. */
  PACKED,
  /** Bytecode. */
  VM,
  /** A body compiled to native code, found in a library as {@code __vmtir__<name>}. */
  VMTIR
}
