package org.relaxvm.builtins.strings;

import java.util.regex.Pattern;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * A string that is matched with a pattern of a model, which may backtrack without end: the number
 * of characters read is bounded. Not thread-safe.
 */
final class BoundedText implements CharSequence {
  private static final long READS = 10_000_000;

  /** Of a long string each character may be read so often. */
  private static final long READS_OF_CHARACTER = 100;

  private final String text;
  private long left;

  private BoundedText(String text) {
    this.text = text;
    this.left = READS + READS_OF_CHARACTER * text.length();
  }

  /**
   * Whether a pattern matches a whole string.
   *
   * @throws CallException when that takes too many steps, or too deep a stack
   */
  static boolean matches(Pattern pattern, String text) {
    try {
      return pattern.matcher(new BoundedText(text)).matches();
    } catch (BacktrackingException | StackOverflowError e) {
      String limit = e instanceof StackOverflowError ? "stack" : "number of steps";
      throw new CallException(
          ErrorKind.VALUE,
          "the pattern '%s' needs too large a %s to match a string of %d characters"
                  .formatted(pattern, limit, text.length())
              + "\n  what to do: use a pattern that backtracks less",
          e);
    }
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public char charAt(int index) {
    if (--left < 0) {
      throw new BacktrackingException();
    }
    return text.charAt(index);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.subSequence(start, end);
  }

  @Override
  public String toString() {
    return text;
  }

  /** Ends a match that reads too many characters. */
  private static final class BacktrackingException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
