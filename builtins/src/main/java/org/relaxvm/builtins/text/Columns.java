package org.relaxvm.builtins.text;

/** Brings texts to one width. */
final class Columns {
  private Columns() {}

  static String[] padLeft(String[] texts) {
    int width = 0;
    for (String text : texts) {
      width = Math.max(width, text.length());
    }
    String[] padded = new String[texts.length];
    for (int i = 0; i < texts.length; i++) {
      padded[i] = " ".repeat(width - texts[i].length()) + texts[i];
    }
    return padded;
  }
}
