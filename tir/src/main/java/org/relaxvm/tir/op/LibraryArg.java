package org.relaxvm.tir.op;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/** An argument of a function of the kernel library. */
public sealed interface LibraryArg {
  /** A tensor: the parameter of the kernel with that name. */
  record OfParam(String name) implements LibraryArg {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** Checks the name. */
    public OfParam {
      if (!isName(name)) {
        throw new InvalidProgramException(
            ErrorKind.VALUE, "the name '" + name + "' of a parameter is no identifier");
      }
    }

    /** Whether it can be the name of a tensor in a hint. */
    public static boolean isName(String name) {
      return NAME.matcher(name).matches()
          && !List.of("null", "true", "false", "inf", "nan").contains(name);
    }
  }

  /** A boolean. */
  record OfBoolean(boolean value) implements LibraryArg {}

  /** An integer. */
  record OfLong(long value) implements LibraryArg {}

  /** A float. */
  record OfDouble(double value) implements LibraryArg {}

  /** A text without quotes. */
  record OfText(String value) implements LibraryArg {
    /** Checks the text. */
    public OfText {
      if (value.indexOf('\'') >= 0) {
        throw new InvalidProgramException(
            ErrorKind.VALUE, "the text " + value + " of a library argument has a quote");
      }
    }
  }

  /** Extents. */
  record OfShape(List<Long> extents) implements LibraryArg {
    /** Copies the list. */
    public OfShape {
      extents = List.copyOf(extents);
    }
  }

  /** An option that is not given. */
  record OfNull() implements LibraryArg {}

  /** As the text of a hint has it. */
  default String text() {
    return switch (this) {
      case OfParam(String name) -> name;
      case OfBoolean(boolean value) -> Boolean.toString(value);
      case OfLong(long value) -> Long.toString(value);
      case OfDouble(double value) ->
          Double.isFinite(value)
              ? Double.toString(value)
              : Double.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
      case OfText(String value) -> "'" + value + "'";
      case OfShape(List<Long> extents) ->
          extents.stream().map(String::valueOf).collect(Collectors.joining(";", "[", "]"));
      case OfNull() -> "null";
    };
  }
}
