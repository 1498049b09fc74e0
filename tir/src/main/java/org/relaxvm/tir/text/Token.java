package org.relaxvm.tir.text;

/**
 * A word of the text.
 *
 * @param offset of its first character, from 0; of what stands in a string that of the string
 * @param text as it stands there; of a string what it means; empty of kinds without characters
 */
public record Token(Kind kind, int offset, String text) {
  private static final int SHOWN = 40;

  /** What a token is. */
  public enum Kind {
    /** A word of letters, digits and underscores; keywords too. */
    NAME,
    /** Decimal digits, without a sign. */
    INTEGER,
    /** Decimal digits with a point or an exponent, without a sign. */
    FLOAT,
    /** In single or double quotes. */
    STRING,
    /** An operator, a bracket or the like. */
    SYMBOL,
    /** The end of a line that has tokens, outside of brackets. */
    NEWLINE,
    /** In front of the first token of a line that is indented deeper than the one above. */
    INDENT,
    /** In front of the first token of a line, once per indentation that ends there. */
    DEDENT,
    /** After everything; there is one. */
    END
  }

  /** Whether this is that symbol or word. */
  public boolean is(String symbol) {
    return (kind == Kind.SYMBOL || kind == Kind.NAME) && text.equals(symbol);
  }

  /** For messages, such as {@code the string "a"} or {@code the end of the line}. */
  public String describe() {
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
  public String quoted() {
    return kind == Kind.STRING ? Quoting.quote(shown()) : "'" + shown() + "'";
  }

  private String shown() {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }
}
