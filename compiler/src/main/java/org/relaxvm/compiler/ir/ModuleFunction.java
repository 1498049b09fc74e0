package org.relaxvm.compiler.ir;

import org.relaxvm.compiler.type.FuncType;

/** A function of a module. */
public sealed interface ModuleFunction permits RelaxFunction, KernelFunction, ExternFunc {
  /** What is known of it. */
  FuncType functionType();
}
