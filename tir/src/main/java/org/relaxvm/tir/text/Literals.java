package org.relaxvm.tir.text;

import java.util.Map;
import java.util.stream.Collectors;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;

/** Constants, dtypes and annotations as text. */
final class Literals {
  private static final double EXACT_INTEGERS = 0x1p53;

  private Literals() {}

  static String print(IntImm imm) {
    if (imm.dtype().equals(DType.BOOL)) {
      return imm.value() != 0 ? "True" : "False";
    }
    if (imm.dtype().equals(DType.INT64)) {
      return Long.toString(imm.value());
    }
    String digits =
        DTypes.isUnsigned(imm.dtype())
            ? Long.toUnsignedString(imm.value())
            : Long.toString(imm.value());
    return "T." + imm.dtype() + "(" + digits + ")";
  }

  static String print(FloatImm imm) {
    double value = imm.value();
    boolean isInteger = value == Math.rint(value) && Math.abs(value) < EXACT_INTEGERS;
    boolean isNegativeZero = value == 0 && 1 / value < 0;
    String digits = isInteger && !isNegativeZero ? Long.toString((long) value) : printDigits(value);
    return "T." + imm.dtype() + "(" + digits + ")";
  }

  /** The shortest decimals that give this number again; what has none in quotes. */
  private static String printDigits(double value) {
    if (Double.isNaN(value)) {
      return "\"nan\"";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "\"inf\"" : "\"-inf\"";
    }
    return Double.toString(value).replace(".0E", "e").replace('E', 'e');
  }

  /** Annotations as a Python dictionary. */
  static String print(Map<String, Object> annotations) {
    return annotations.entrySet().stream()
        .map(
            annotation ->
                Quoting.quote(annotation.getKey()) + ": " + printValue(annotation.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String printValue(Object value) {
    return switch (value) {
      case String text -> Quoting.quote(text);
      case Boolean bool -> bool ? "True" : "False";
      case Double number when !Double.isFinite(number) -> "T.float64(" + printDigits(number) + ")";
      case Double number -> printDigits(number);
      default -> value.toString();
    };
  }

  /** The dtype after {@code T.}; whether there is one of that name. */
  static boolean isDType(String name) {
    try {
      DType dtype = DType.parse(name);
      return DTypes.isScalar(dtype) && dtype.toString().equals(name);
    } catch (RelaxException e) {
      return false;
    }
  }

  /** The type of what a kernel returns. */
  static String printReturnType(DType dtype) {
    String text = dtype.toString();
    if (text.isEmpty() || !DType.parse(text).equals(dtype)) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "the text of a kernel cannot say that it returns the dtype "
              + text
              + " of "
              + dtype.bits()
              + " bits and "
              + Count.of(dtype.lanes(), "lane", "lanes"));
    }
    return "T." + text;
  }
}
