package org.relaxvm.tir.text;

/**
 * What a text may hold. Texts come from files: reading one must end in a kernel or in an error, not
 * in a full stack or heap. The printer keeps to the same limits, so that what it writes can be
 * read.
 */
final class Limits {
  /** Operations on the way from an expression to its innermost operand. */
  static final int EXPRESSION_DEPTH = 128;

  /** Loops, blocks, branches and the like around a statement. */
  static final int STATEMENT_DEPTH = 64;

  static final int CHARACTERS = 1 << 26;
  static final int TOKENS = 2_000_000;

  /** Characters of one number. */
  static final int NUMBER_LENGTH = 100;

  private Limits() {}
}
