package org.relaxvm.vmcore.interp;

import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Checks the number of arguments of a bytecode function. */
final class Arity {
  private Arity() {}

  static void check(DecodedFunction function, int given) {
    if (given != function.numArgs()) {
      String names =
          function.paramNames().isEmpty()
              ? ""
              : " (" + String.join(", ", function.paramNames()) + ")";
      throw new CallException(
          ErrorKind.INTERNAL,
          "Invoking function "
              + function.name()
              + " expects "
              + function.numArgs()
              + " arguments"
              + names
              + ", but "
              + given
              + " arguments were provided.");
    }
  }
}
