package org.relaxvm.interoprelay.proposal.text;

/**
 * A piece of program text.
 *
 * @param text the characters; of a string the characters that it stands for, of a register or a
 *     function what follows {@code $} or {@code @}
 * @param offset of the first character in the text
 */
record Token(Kind kind, String text, int offset) {
  enum Kind {
    NAME,
    NUMBER,
    STRING,
    REGISTER,
    FUNCTION,
    PUNCTUATION,
    END
  }

  boolean is(char punctuation) {
    return kind == Kind.PUNCTUATION && text.charAt(0) == punctuation;
  }

  /** How messages call the token. */
  String describe() {
    String shown = text.length() > 60 ? text.substring(0, 60) + "..." : text;
    return switch (kind) {
      case END -> "the end of the text";
      case STRING -> "the string " + Quoting.quote(shown);
      case REGISTER -> "'$" + shown + "'";
      case FUNCTION -> "'@" + shown + "'";
      case NAME, NUMBER, PUNCTUATION -> "'" + shown + "'";
    };
  }
}
