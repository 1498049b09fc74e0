package org.relaxvm.compiler.pass;

import org.relaxvm.compiler.ir.IRModule;

/** Sees what passes do: for dumps and times. */
@FunctionalInterface
public interface PassObserver {
  /** Sees nothing. */
  PassObserver NONE = (pass, before, after, nanos) -> {};

  /**
   * A pass has run.
   *
   * @param nanos how long it took
   */
  void ran(Pass pass, IRModule before, IRModule after, long nanos);

  /** Both see all. */
  default PassObserver and(PassObserver other) {
    return (pass, before, after, nanos) -> {
      ran(pass, before, after, nanos);
      other.ran(pass, before, after, nanos);
    };
  }
}
