package org.relaxvm.compiler.pass;

/** How the functions over tensors of a program are executed. */
public enum ExecMode {
  /** As bytecode, which the virtual machine interprets, and compiles when it is hot. */
  BYTECODE,
  /**
   * As compiled functions: a host function in the kernel IR for each, which the host's backend
   * compiles. Source: docs/spec/vm-codegen.md, section 5.
   */
  COMPILED
}
