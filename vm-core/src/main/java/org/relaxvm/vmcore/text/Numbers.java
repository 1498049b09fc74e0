package org.relaxvm.vmcore.text;

import java.util.regex.Pattern;

/** Numbers as program text: exact both ways. */
final class Numbers {
  private static final Pattern INTEGER = Pattern.compile("[-+]?([0-9]+|0[xX][0-9a-fA-F]+)");
  private static final Pattern DECIMAL =
      Pattern.compile("[-+]?[0-9]+(\\.[0-9]*)?([eE][-+]?[0-9]+)?");
  private static final Pattern HEXADECIMAL =
      Pattern.compile("[-+]?0[xX][0-9a-fA-F]+(\\.[0-9a-fA-F]*)?[pP][-+]?[0-9]+");

  private Numbers() {}

  static boolean isInteger(String text) {
    return INTEGER.matcher(text).matches();
  }

  static long parseLong(String text) {
    if (!isInteger(text)) {
      throw new NumberFormatException(text);
    }
    return Long.decode(decodable(text));
  }

  /** Reads 64 bits without a sign. */
  static long parseUnsignedLong(String text) {
    if (!isInteger(text)) {
      throw new NumberFormatException(text);
    }
    boolean hexadecimal = text.startsWith("0x") || text.startsWith("0X");
    return hexadecimal
        ? Long.parseUnsignedLong(text.substring(2), 16)
        : Long.parseUnsignedLong(text);
  }

  static double parseDouble(String text) {
    switch (text) {
      case "nan":
        return Double.NaN;
      case "inf", "+inf":
        return Double.POSITIVE_INFINITY;
      case "-inf":
        return Double.NEGATIVE_INFINITY;
      default:
        return finite(text, Double.parseDouble(checked(text)));
    }
  }

  static float parseFloat(String text) {
    switch (text) {
      case "nan":
        return Float.NaN;
      case "inf", "+inf":
        return Float.POSITIVE_INFINITY;
      case "-inf":
        return Float.NEGATIVE_INFINITY;
      default:
        float value = Float.parseFloat(checked(text));
        finite(text, value);
        return value;
    }
  }

  static String print(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    return Double.isInfinite(value) ? (value > 0 ? "inf" : "-inf") : Double.toString(value);
  }

  static String print(float value) {
    if (Float.isNaN(value)) {
      return "nan";
    }
    return Float.isInfinite(value) ? (value > 0 ? "inf" : "-inf") : Float.toString(value);
  }

  private static String checked(String text) {
    if (DECIMAL.matcher(text).matches() || HEXADECIMAL.matcher(text).matches()) {
      return text;
    }
    throw new NumberFormatException(text);
  }

  private static double finite(String text, double value) {
    if (Double.isInfinite(value)) {
      throw new NumberFormatException(text);
    }
    return value;
  }

  /** Without leading zeros, which {@link Long#decode} takes for octal digits. */
  private static String decodable(String text) {
    int start = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    int at = start;
    while (at + 1 < text.length() && text.charAt(at) == '0' && isDigit(text.charAt(at + 1))) {
      at++;
    }
    return text.substring(0, start) + text.substring(at);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
