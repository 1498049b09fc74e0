package org.relaxvm.vmcore.interp;

import java.util.List;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.vmcore.decode.DecodedFunction;

/** Checks the number of arguments of a bytecode function. */
public final class Arity {
  private Arity() {}

  static void check(DecodedFunction function, int given) {
    int expected = function.numArgs();
    if (given != expected) {
      throw mismatch(function.name(), String.join(", ", function.paramNames()), expected, given)
          .withTvmMessage(tvmMessage(function.name(), function.paramNames(), expected, given));
    }
  }

  /**
   * The error for another number of arguments, an {@code InternalError} as in TVM.
   *
   * @param parameters what the function takes; empty when that is unknown or nothing
   */
  public static CallException mismatch(
      String function, String parameters, long expected, int given) {
    String takes = parameters.isEmpty() ? counted(expected) : "(" + parameters + ")";
    return new CallException(
        ErrorKind.INTERNAL, function + " takes " + takes + ", got " + counted(given));
  }

  /** TVM's text of the error. */
  public static String tvmMessage(String function, List<String> names, long expected, int given) {
    return "Invoking function "
        + function
        + " expects "
        + expected
        + " arguments"
        + (names.isEmpty() ? "" : " (" + String.join(", ", names) + ")")
        + ", but "
        + given
        + " arguments were provided.";
  }

  private static String counted(long count) {
    return count == 0 ? "no arguments" : count == 1 ? "1 argument" : count + " arguments";
  }
}
