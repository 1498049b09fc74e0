package org.relaxvm.builtins.text;

import java.util.List;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * Python's {@code str.format} for values that are already texts: {@code {}}, {@code {0}} and the
 * doubled braces. Attributes, conversions and format specifications are refused.
 */
public final class PythonFormat {
  private PythonFormat() {}

  /**
   * Puts values into a format.
   *
   * @throws CallException a {@code ValueError} for a malformed or unsupported format, or when there
   *     are too few values
   */
  public static String format(String format, List<String> values) {
    StringBuilder text = new StringBuilder();
    int automatic = 0;
    int i = 0;
    while (i < format.length()) {
      char c = format.charAt(i);
      if (c != '{' && c != '}') {
        text.append(c);
        i++;
      } else if (i + 1 < format.length() && format.charAt(i + 1) == c) {
        text.append(c);
        i += 2;
      } else {
        int end = c == '{' ? format.indexOf('}', i) : -1;
        if (end < 0) {
          throw refuse(format, "it has a single '" + c + "'; a brace itself is written twice");
        }
        String field = format.substring(i + 1, end);
        text.append(values.get(index(format, field, automatic, values.size())));
        automatic += field.isEmpty() ? 1 : 0;
        i = end + 1;
      }
    }
    return text.toString();
  }

  private static int index(String format, String field, int automatic, int count) {
    int index = automatic;
    if (!field.isEmpty()) {
      if (!field.matches("[0-9]{1,6}")) {
        throw refuse(format, "of '{" + field + "}' only {} and {number} are supported");
      }
      index = Integer.parseInt(field);
    }
    if (index >= count) {
      throw refuse(format, "it refers to value " + index + ", but there are " + count + " values");
    }
    return index;
  }

  private static CallException refuse(String format, String why) {
    return new CallException(ErrorKind.VALUE, "cannot format with \"" + format + "\": " + why);
  }
}
