package org.relaxvm.interoprelay.proposal.interp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.interoprelay.proposal.RelayTestFunctions;
import org.relaxvm.interoprelay.proposal.text.RelayText;

/** Programs in text form, interpreted with the functions of tests. */
final class Interpreted {
  private Interpreted() {}

  static RelayInterpreter of(String text) {
    return of(text, InterpreterOptions.DEFAULT);
  }

  static RelayInterpreter of(String text, InterpreterOptions options) {
    return new RelayInterpreter(RelayText.parse(text), RelayTestFunctions::find, options);
  }

  /** The result of a function {@code main}, which the caller closes. */
  static Value main(String text, @Nullable Object... args) {
    return of(text).call("main", args);
  }

  /** The result of a function {@code main} that is a number, a boolean or a tensor of integers. */
  static long number(String text, @Nullable Object... args) {
    try (Value value = main(text, args)) {
      return value.object() instanceof Tensor tensor ? tensor.toLongArray()[0] : value.asLong();
    }
  }

  static void assertFails(String message, String text, @Nullable Object... args) {
    RelayInterpreter interpreter = of(text);
    CallException failure =
        catchThrowableOfType(CallException.class, () -> interpreter.call("main", args));
    assertThat(failure).hasMessage(message.stripTrailing());
  }
}
