package org.relaxvm.interoprelay.proposal.text;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/** The text of a program, for messages that show the position of an error. */
record SourceText(String text) {
  private static final int SHOWN = 100;

  /** The error at an offset: line, column, what is wrong, and the line with a mark under it. */
  MalformedFileException error(int offset, String message) {
    int start = text.lastIndexOf('\n', offset - 1) + 1;
    int end = text.indexOf('\n', offset);
    end = end < 0 ? text.length() : end;
    long line = 1 + text.substring(0, start).chars().filter(c -> c == '\n').count();
    // Lines may be megabytes long; show the part around the error.
    int from = Math.max(start, offset - SHOWN / 2);
    int to = Math.min(end, from + SHOWN);
    String margin = "  " + line + " | " + (from > start ? "..." : "");
    return new MalformedFileException(
        ErrorKind.VALUE,
        "line "
            + line
            + ", column "
            + (offset - start + 1)
            + ": "
            + message
            + "\n"
            + margin
            + text.substring(from, to).replaceAll("\\p{Cntrl}", " ")
            + (to < end ? "..." : "")
            + "\n"
            + " ".repeat(margin.length() + offset - from)
            + "^");
  }
}
