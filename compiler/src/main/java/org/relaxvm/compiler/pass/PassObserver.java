package org.relaxvm.compiler.pass;

import org.relaxvm.compiler.ir.IRModule;

/** Is told of every pass: for dumps and timings. */
@FunctionalInterface
public interface PassObserver {
  /** Ignores everything. */
  PassObserver NONE = (pass, before, after, nanos) -> {};

  /**
   * A pass has run.
   *
   * @param nanos how long it took
   */
  void ran(Pass pass, IRModule before, IRModule after, long nanos);

  /** Notifies both. */
  default PassObserver and(PassObserver other) {
    return (pass, before, after, nanos) -> {
      ran(pass, before, after, nanos);
      other.ran(pass, before, after, nanos);
    };
  }
}
