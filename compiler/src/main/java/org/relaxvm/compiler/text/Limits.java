package org.relaxvm.compiler.text;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * What a text may hold. Texts come from files: reading one must end in a module or in an error, not
 * in a full stack. The printer keeps to the same limits.
 */
final class Limits {
  /** Expressions, types and constants inside of each other. */
  static final int DEPTH = 64;

  /** Branches and local functions around a statement. */
  static final int STATEMENT_DEPTH = 64;

  /** Elements of constants that stand in the text. */
  static final int LITERAL_ELEMENTS = 16;

  private Limits() {}

  static void requirePrintable(int depth, int limit, String what) {
    if (depth > limit) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the text of a module cannot hold " + what + " nested more than " + limit + " deep");
    }
  }
}
