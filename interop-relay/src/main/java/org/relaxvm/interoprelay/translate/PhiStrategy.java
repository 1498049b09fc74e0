package org.relaxvm.interoprelay.translate;

/**
 * What becomes of Phi instructions.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 5.
 */
public enum PhiStrategy {
  /** Copies at the ends of the branches; a builtin only where the branches do not decide. */
  STATIC,

  /**
   * A builtin that looks at run time which operand is defined; copies only where it cannot know: at
   * the start of a loop, where the value before the loop and the one of the last iteration are both
   * defined.
   */
  RUN_TIME
}
