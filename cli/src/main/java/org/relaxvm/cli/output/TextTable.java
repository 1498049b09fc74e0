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
