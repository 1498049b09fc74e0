package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;

/** Asserts on errors: their kind and their whole text. */
final class Failures {
  private Failures() {}

  static void assertFails(
      ErrorKind kind, String tvmMessage, String message, ThrowingCallable call) {
    assertFails(kind, message, call);
    assertThat(catchThrowableOfType(RelaxException.class, call).tvmMessage()).hasValue(tvmMessage);
  }

  static void assertFails(ErrorKind kind, String message, ThrowingCallable call) {
    RelaxException error = catchThrowableOfType(RelaxException.class, call);
    assertThat(error).as("an error").isNotNull();
    assertThat(error.kind()).isEqualTo(kind);
    assertThat(error).hasMessage(message);
  }
}
