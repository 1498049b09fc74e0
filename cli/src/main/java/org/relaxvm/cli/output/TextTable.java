package org.relaxvm.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Lines with aligned columns. */
public final class TextTable {
  private final List<String[]> rows = new ArrayList<>();

  /** Adds a row; rows may differ in their number of cells. */
  public TextTable row(Object... cells) {
    String[] texts = new String[cells.length];
    for (int i = 0; i < cells.length; i++) {
      texts[i] = String.valueOf(cells[i]);
    }
    rows.add(texts);
    return this;
  }

  /**
   * Adds a text beside its heading, in as many rows as it takes.
   *
   * @param width the most characters of a row of the text; a longer word is left whole
   */
  public TextTable paragraph(String heading, String text, int width) {
    String first = heading;
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ")) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        row(first, line);
        first = "";
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    return row(first, line);
  }

  /** The lines, each with an indent, without trailing blanks. */
  public List<String> lines(String indent) {
    List<Integer> widths = new ArrayList<>();
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        if (i == widths.size()) {
          widths.add(0);
        }
        widths.set(i, Math.max(widths.get(i), row[i].length()));
      }
    }
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder(indent);
      for (int i = 0; i < row.length; i++) {
        line.append(row[i]);
        if (i + 1 < row.length) {
          line.repeat(' ', widths.get(i) - row[i].length() + 2);
        }
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
