package org.relaxvm.builtins;

import java.io.PrintStream;

/** Where a program prints that was given no other output. The library itself prints nothing. */
final class ProgramOutput {
  private ProgramOutput() {}

  /** Standard output as it is now: an application may redirect it at any time. */
  static PrintStream standard() {
    return System.out;
  }
}
