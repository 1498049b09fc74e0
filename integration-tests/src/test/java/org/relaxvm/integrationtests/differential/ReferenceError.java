package org.relaxvm.integrationtests.differential;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;

/** A failure of a program in the second evaluator. */
final class ReferenceError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorKind kind;

  ReferenceError(ErrorKind kind, String message) {
    super(message);
    this.kind = kind;
  }

  ErrorKind kind() {
    return kind;
  }

  /** The error for an argument of the wrong kind. */
  static ReferenceError mismatch(int index, String expected, @Nullable Object got) {
    return new ReferenceError(
        ErrorKind.TYPE,
        "Mismatched type on argument #"
            + index
            + ". Expected `"
            + expected
            + "` but got `"
            + ReferenceValues.typeKey(got)
            + "`");
  }
}
