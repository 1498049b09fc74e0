package org.relaxvm.compiler.text;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.tir.text.Quoting;

/** Values of attributes as text. */
final class AttrText {
  private AttrText() {}

  /** A value of an attribute of an operator. */
  static String print(AttrSpec.Kind kind, Object value) {
    if (kind != AttrSpec.Kind.DTYPE) {
      return print(value);
    }
    // Here a plain string is read as a dtype.
    return value instanceof String text
        ? "R.str(" + Quoting.quote(text) + ")"
        : Quoting.quote(value.toString());
  }

  /** A value. */
  static String print(Object value) {
    return switch (value) {
      case String text -> Quoting.quote(text);
      case Boolean bool -> bool ? "True" : "False";
      case Double number -> print(number.doubleValue());
      case DType dtype -> "R.dtype(" + Quoting.quote(dtype.toString()) + ")";
      case List<?> list ->
          list.stream().map(AttrText::print).collect(Collectors.joining(", ", "[", "]"));
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(
                  entry ->
                      Quoting.quote(String.valueOf(entry.getKey()))
                          + ": "
                          + print(entry.getValue()))
              .collect(Collectors.joining(", ", "{", "}"));
      default -> value.toString();
    };
  }

  /** The shortest decimals that give this number again; what has none by its name. */
  static String print(double number) {
    if (Double.isNaN(number)) {
      return "float(\"nan\")";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "float(\"inf\")" : "float(\"-inf\")";
    }
    return Double.toString(number).replace('E', 'e');
  }
}
