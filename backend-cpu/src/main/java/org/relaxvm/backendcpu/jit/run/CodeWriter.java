package org.relaxvm.backendcpu.jit.run;

import org.relaxvm.backendcpu.jit.lir.LirFunction;

/** Turns functions into machine code of one processor. Thread-safe. */
public interface CodeWriter {
  /**
   * The machine code of a function, which may be at any multiple of 64 bytes and begins with the
   * function.
   *
   * @throws org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException if an instruction cannot be
   *     written
   */
  byte[] write(LirFunction function);

  /** The instructions of a function, one a line. */
  String list(LirFunction function);
}
