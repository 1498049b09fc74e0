package org.relaxvm.builtins;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The text that a compiler passes to checks so that their errors say which part of the program is
 * violated, such as {@code ErrorContext(fn=main, loc=param[0], param=x, annotation=...)}. Read only
 * when a check fails.
 */
final class ErrorContext {
  private static final Pattern PARAMETER =
      Pattern.compile(
          "ErrorContext\\(fn=(.*?), loc=param\\[\\d+], param=(.*?), annotation=(.*)\\)\\s*",
          Pattern.DOTALL);
  private static final Pattern RESULT =
      Pattern.compile(
          "ErrorContext\\(fn=(.*?), loc=return(?:, annotation=(.*))?\\)\\s*", Pattern.DOTALL);
  private static final Pattern CAST =
      Pattern.compile("ErrorContext\\(match_cast, (?:ty|sinfo)=(.*)\\)\\s*", Pattern.DOTALL);

  private ErrorContext() {}

  /** The text of an argument; empty when it is null or was left out. */
  static String at(CallArgs args, int index) {
    return index >= args.count() || args.isNull(index) ? "" : args.stringAt(index);
  }

  /**
   * An error whose first line names the value that was checked.
   *
   * @param problem what is wrong with the value, such as {@code dimension 2 is 27, expected 28}
   * @param tvmText TVM's text of the error after the context
   */
  static CallException error(
      ErrorKind kind, CallArgs args, int contextIndex, String problem, String tvmText) {
    String context = at(args, contextIndex);
    return new CallException(kind, message(context, problem)).withTvmMessage(context + tvmText);
  }

  /** The problem of the value that a context names, then the type that the program declares. */
  static String message(String context, String problem) {
    Matcher parameter = PARAMETER.matcher(context);
    if (parameter.matches()) {
      String subject = "argument '" + parameter.group(2) + "' of " + parameter.group(1);
      return subject + ": " + problem + "\n  declared: " + parameter.group(3);
    }
    Matcher result = RESULT.matcher(context);
    if (result.matches()) {
      String declared = result.group(2) == null ? "" : "\n  declared: " + result.group(2);
      return "the result of " + result.group(1) + ": " + problem + declared;
    }
    Matcher cast = CAST.matcher(context);
    if (cast.matches()) {
      return "the value of match_cast: " + problem + "\n  declared: " + cast.group(1);
    }
    String known = context.isBlank() ? "" : "\n  context: " + context.strip();
    return "a checked value: " + problem + known;
  }
}
