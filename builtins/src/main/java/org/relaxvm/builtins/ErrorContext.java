package org.relaxvm.builtins;

import org.relaxvm.api.CallArgs;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The text that a compiler passes to checks so that their errors say which part of the program is
 * violated. Read only when a check fails.
 */
final class ErrorContext {
  private ErrorContext() {}

  /** The text of an argument; empty when it is null or was left out. */
  static String at(CallArgs args, int index) {
    return index >= args.count() || args.isNull(index) ? "" : args.stringAt(index);
  }

  /** An error whose first line is the context followed by {@code text}. */
  static CallException error(ErrorKind kind, CallArgs args, int contextIndex, String text) {
    return new CallException(kind, at(args, contextIndex) + text);
  }
}
