package org.relaxvm.tir.text;

/**
 * A word of the text.
 *
 * @param offset of its first character
 * @param text as it stands there; of a string what it means
 */
record Token(Kind kind, int offset, String text) {
  private static final int SHOWN = 40;

  enum Kind {
    NAME,
    INTEGER,
    FLOAT,
    STRING,
    SYMBOL,
    NEWLINE,
    INDENT,
    DEDENT,
    END
  }

  /** Whether this is that symbol or word. */
  boolean is(String symbol) {
    return (kind == Kind.SYMBOL || kind == Kind.NAME) && text.equals(symbol);
  }

  /** For messages. */
  String describe() {
    return switch (kind) {
      case NEWLINE -> "the end of the line";
      case INDENT -> "a deeper indentation";
      case DEDENT -> "the end of the indented lines";
      case END -> "the end of the text";
      case STRING -> "the string " + quoted();
      default -> quoted();
    };
  }

  /** As the text has it, in quotes; cut when it is long. */
  String quoted() {
    return kind == Kind.STRING ? Quoting.quote(shown()) : "'" + shown() + "'";
  }

  private String shown() {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }
}
