package org.relaxvm.vmcore.binary;

import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a malformed file.
 *
 * @param text the first line of the message
 * @param tvmMessage Apache TVM's text of the error; null where TVM has no such error
 */
public record FormatProblem(String text, @Nullable String tvmMessage) {
  /** A problem that Apache TVM does not report. */
  public static FormatProblem of(String text) {
    return new FormatProblem(text, null);
  }
}
