package org.relaxvm.cli.input;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a size in bytes: a number, or one with the unit K, M, G or T, each 1024 of the last. */
public final class ByteSize implements ITypeConverter<Long> {
  private static final String UNITS = "KMGT";

  @Override
  public Long convert(String text) {
    String upper = text.toUpperCase(Locale.ROOT);
    int unit = upper.isEmpty() ? -1 : UNITS.indexOf(upper.charAt(upper.length() - 1));
    String digits = unit < 0 ? upper : upper.substring(0, upper.length() - 1);
    try {
      long number = Long.parseLong(digits);
      long bytes = Math.multiplyExact(number, 1L << (10 * (unit + 1)));
      if (bytes >= 0 && Character.isDigit(digits.charAt(0))) {
        return bytes;
      }
    } catch (NumberFormatException | ArithmeticException _) {
      // Refused below.
    }
    throw new TypeConversionException(
        "'"
            + text
            + "' is not a size in bytes; expected a number, or one with K, M, G or T, such"
            + " as 512M");
  }
}
