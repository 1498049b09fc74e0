package org.relaxvm.compiler.pass;

/**
 * How a kernel gets sizes that none of its tensors says. Source: docs/spec/relax-ir.md, section
 * 6.3; docs/spec/vm-codegen.md, section 6.
 */
public enum ScalarConvention {
  /** After the outputs, from one shape, through {@code vm.builtin.call_tir_dyn}. */
  TRAILING,
  /** Among the inputs, each as an argument of its own. */
  INLINE
}
