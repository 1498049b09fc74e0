package org.relaxvm.builtins.strings;

import java.math.BigDecimal;
import java.util.Locale;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.text.PythonFloat;

/** Numbers as strings, and back. */
public final class Numbers {
  private Numbers() {}

  /**
   * The elements of a host tensor: integers as decimals, booleans as {@code True} and {@code
   * False}, floating-point numbers with the fewest digits that tell them from others of their
   * dtype, {@code NaN}, {@code INF} and {@code -INF}.
   */
  public static String[] texts(Tensor x) {
    DType dtype = x.dtype();
    if (dtype.isFloat()) {
      double[] values = x.toDoubleArray();
      String[] texts = new String[values.length];
      for (int i = 0; i < texts.length; i++) {
        texts[i] = text(values[i], dtype);
      }
      return texts;
    }
    long[] values = x.toLongArray();
    String[] texts = new String[values.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] =
          dtype.equals(DType.BOOL)
              ? values[i] != 0 ? "True" : "False"
              : dtype.equals(DType.UINT64)
                  ? Long.toUnsignedString(values[i])
                  : Long.toString(values[i]);
    }
    return texts;
  }

  private static String text(double value, DType dtype) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "INF" : "-INF";
    }
    return dtype.equals(DType.FLOAT64)
        ? PythonFloat.repr(value)
        : PythonFloat.repr(Double.parseDouble(Float.toString((float) value)));
  }

  /**
   * A floating-point number, {@code INF}, {@code NaN} and the like in any case.
   *
   * @throws CallException a {@code ValueError} when it is none
   */
  public static double real(String text) {
    String plain = text.strip();
    String upper = plain.toUpperCase(Locale.ROOT);
    String unsigned = upper.startsWith("-") || upper.startsWith("+") ? upper.substring(1) : upper;
    boolean isNegative = upper.startsWith("-");
    if (unsigned.equals("INF") || unsigned.equals("INFINITY")) {
      return isNegative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    if (unsigned.equals("NAN")) {
      return Double.NaN;
    }
    try {
      // Not Double.parseDouble: that takes suffixes such as 1.5f.
      double value = new BigDecimal(plain).doubleValue();
      return value == 0 && isNegative ? -0.0 : value;
    } catch (NumberFormatException e) {
      throw wrong(text, "a number");
    }
  }

  /**
   * An integer; digits after a point are cut off.
   *
   * @throws CallException a {@code ValueError} when it is none, or does not fit 64 bits
   */
  public static long integer(String text) {
    try {
      return new BigDecimal(text.strip()).toBigInteger().longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      throw wrong(text, "an integer of 64 bits");
    }
  }

  /**
   * A boolean: {@code true}, {@code false} in any case, or a number.
   *
   * @throws CallException a {@code ValueError} when it is none
   */
  public static boolean bool(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> real(text) != 0;
    };
  }

  private static CallException wrong(String text, String expected) {
    return new CallException(ErrorKind.VALUE, "the string '" + text + "' is not " + expected);
  }
}
