package org.relaxvm.vmcore.text;

/**
 * A piece of program text.
 *
 * @param text the characters; of a string the characters that it stands for
 * @param offset of the first character in the text
 */
record Token(Kind kind, String text, int offset) {
  enum Kind {
    NAME,
    NUMBER,
    STRING,
    PUNCTUATION,
    NEWLINE,
    END
  }

  boolean is(char punctuation) {
    return kind == Kind.PUNCTUATION && text.charAt(0) == punctuation;
  }

  boolean isName(String name) {
    return kind == Kind.NAME && text.equals(name);
  }

  /** How the token is called in messages. */
  String describe() {
    return switch (kind) {
      case NEWLINE -> "the end of the line";
      case END -> "the end of the text";
      case STRING -> "the string " + Quoting.quote(shortened());
      default -> "'" + shortened() + "'";
    };
  }

  private String shortened() {
    return text.length() > 60 ? text.substring(0, 60) + "..." : text;
  }
}
