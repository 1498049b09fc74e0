package org.relaxvm.tir.text;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/**
 * A text and where it comes from, for messages that show the position of an error.
 *
 * @param name of the file or other source
 * @param text the whole of it
 */
public record SourceText(String name, String text) {
  private static final int SHOWN = 100;

  /**
   * The error at an offset, a {@code ValueError}: source, line and column (from 1), what is wrong,
   * and the line with a mark.
   */
  public MalformedFileException error(int offset, String message) {
    int start = text.lastIndexOf('\n', offset - 1) + 1;
    int end = text.indexOf('\n', offset);
    end = end < 0 ? text.length() : end;
    long line = 1 + text.substring(0, start).chars().filter(c -> c == '\n').count();
    // Lines may be megabytes long; show the part around the location.
    int from = offset - start <= SHOWN ? start : offset - SHOWN / 2;
    int to = Math.min(end, from + SHOWN + SHOWN / 2);
    String cut = from > start ? "..." : "";
    String shown = cut + text.substring(from, to).replaceAll("\\p{Cntrl}", " ").stripTrailing();
    String margin = "  " + line + " | ";
    String mark = " ".repeat(margin.length() + cut.length() + offset - from) + "^";
    String location = name + ":" + line + ":" + (offset - start + 1);
    return new MalformedFileException(
        ErrorKind.VALUE,
        location + ": " + message + "\n" + margin + shown + (to < end ? "..." : "") + "\n" + mark);
  }
}
