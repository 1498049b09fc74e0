package org.relaxvm.integrationtests.differential;

import java.util.List;

/**
 * What a program did.
 *
 * @param result the text of the result, or the error's kind and first line
 * @param calls the calls of host functions in their order, with their arguments
 * @param executed the number of instructions
 * @param trace what an instrument sees; empty when there is none
 */
record Outcome(String result, List<String> calls, long executed, List<String> trace) {
  // This message goes on with a value's own text, which the second evaluator does not have.
  private static final String OPEN_END = ", but got";
  private static final String OPEN_MESSAGE = "expected a shape heap";

  /** The same without what an instrument sees. */
  Outcome withoutTrace() {
    return new Outcome(result, calls, executed, List.of());
  }

  /** The error of a program in the words that both evaluators have. */
  static String failure(Object kind, String message) {
    String line = message.lines().findFirst().orElse("");
    if (line.startsWith(OPEN_MESSAGE)) {
      line = line.substring(0, line.indexOf(OPEN_END) + OPEN_END.length());
    }
    return kind + ": " + line;
  }
}
