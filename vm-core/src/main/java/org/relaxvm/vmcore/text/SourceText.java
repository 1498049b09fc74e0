package org.relaxvm.vmcore.text;

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
    int line = 1;
    for (int i = 0; i < start; i++) {
      line += text.charAt(i) == '\n' ? 1 : 0;
    }
    int column = offset - start + 1;
    // Lines may be megabytes long; show the part around the error.
    int from = Math.max(start, offset - SHOWN / 2);
    int to = Math.min(end, from + SHOWN);
    String shown = text.substring(from, to).replaceAll("\\p{Cntrl}", " ");
    String margin = "  " + line + " | ";
    return new MalformedFileException(
        ErrorKind.VALUE,
        "line "
            + line
            + ", column "
            + column
            + ": "
            + message
            + "\n"
            + margin
            + (from > start ? "..." : "")
            + shown
            + (to < end ? "..." : "")
            + "\n"
            + " ".repeat(margin.length() + (from > start ? 3 : 0) + offset - from)
            + "^");
  }
}
