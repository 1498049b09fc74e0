package org.relaxvm.backendcpu.substitution;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/** An argument of a library function as a kernel names it. */
sealed interface HintArgument {
  /** A tensor of the kernel, by its name. */
  record OfTensor(String name) implements HintArgument {}

  /** A value: a Boolean, Long, Double, String, {@link Shape} or null. */
  record OfValue(@Nullable Object value) implements HintArgument {}

  /**
   * Reads an argument: {@code true}, {@code 2}, {@code 0.5}, {@code 'none'}, {@code [1;1]}, {@code
   * null} or a name.
   *
   * @throws InvalidProgramException for anything else
   */
  static HintArgument parse(String kernel, String text) {
    return switch (text) {
      case "true" -> new OfValue(true);
      case "false" -> new OfValue(false);
      case "null" -> new OfValue(null);
      default -> parseOther(kernel, text);
    };
  }

  private static HintArgument parseOther(String kernel, String text) {
    try {
      if (text.length() >= 2 && text.startsWith("'") && text.endsWith("'")) {
        return new OfValue(text.substring(1, text.length() - 1));
      }
      if (text.startsWith("[") && text.endsWith("]")) {
        String inside = text.substring(1, text.length() - 1).strip();
        return new OfValue(
            inside.isEmpty()
                ? Shape.of()
                : Shape.of(
                    Arrays.stream(inside.split(";", -1))
                        .map(String::strip)
                        .mapToLong(Long::parseLong)
                        .toArray()));
      }
      if (text.matches("[-+]?[0-9]+")) {
        return new OfValue(Long.parseLong(text));
      }
      if (text.matches("[-+]?[0-9.].*")) {
        return new OfValue(Double.parseDouble(text));
      }
    } catch (NumberFormatException e) {
      throw unknown(kernel, text);
    }
    if (!text.matches("\\w+")) {
      throw unknown(kernel, text);
    }
    return new OfTensor(text);
  }

  private static InvalidProgramException unknown(String kernel, String text) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "the kernel "
            + kernel
            + " names an argument of a library function as "
            + text
            + "; expected the name of a tensor, true, false, null, a number, 'text' or [1;2]");
  }
}
