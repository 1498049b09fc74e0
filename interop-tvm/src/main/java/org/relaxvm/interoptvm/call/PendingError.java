package org.relaxvm.interoptvm.call;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** The error that a thread's compiled code reports with its next result of -1. */
final class PendingError {
  private @Nullable Throwable error;

  /** Replaces what is pending. */
  void set(Throwable newError) {
    error = newError;
  }

  /** Replaces what is pending by what compiled code says, whose text is TVM's. */
  void set(String kind, String message) {
    error = new CallException(kindOf(kind), message).withTvmMessage(message);
  }

  /**
   * Replaces what is pending by what compiled code of Apache TVM 0.20 or older says: one text, with
   * the kind in front where it has one.
   */
  void set(String text) {
    int colon = text.indexOf(": ");
    for (ErrorKind kind : ErrorKind.values()) {
      if (colon > 0 && kind.text().equals(text.substring(0, colon))) {
        error = new CallException(kind, text.substring(colon + 2)).withTvmMessage(text);
        return;
      }
    }
    error = new CallException(ErrorKind.RUNTIME, text).withTvmMessage(text);
  }

  boolean isSet() {
    return error != null;
  }

  void clear() {
    error = null;
  }

  /** The pending error, which is none afterwards. */
  @Nullable Throwable take() {
    Throwable taken = error;
    error = null;
    return taken;
  }

  /** The pending error as the exception to throw; none is pending afterwards. */
  RuntimeException raise() {
    Throwable taken = take();
    return switch (taken) {
      case null ->
          new CallException(ErrorKind.INTERNAL, "compiled code failed without saying why")
              .withTvmMessage("unknown error");
      case RuntimeException exception -> exception;
      case Error fatal -> throw fatal;
      default -> new CallException(ErrorKind.INTERNAL, taken.toString(), taken);
    };
  }

  private static ErrorKind kindOf(String name) {
    for (ErrorKind kind : ErrorKind.values()) {
      if (kind.text().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
        return kind;
      }
    }
    return ErrorKind.RUNTIME;
  }
}
