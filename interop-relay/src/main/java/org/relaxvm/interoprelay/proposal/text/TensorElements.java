package org.relaxvm.interoprelay.proposal.text;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;

/** Elements of constants as text: exact both ways, or not at all. */
final class TensorElements {
  private TensorElements() {}

  /** Whether elements have a notation. */
  static boolean supports(DType dtype) {
    return dtype.equals(DType.BOOL)
        || dtype.equals(DType.FLOAT32)
        || dtype.equals(DType.FLOAT64)
        || isInteger(dtype);
  }

  private static boolean isInteger(DType dtype) {
    return dtype.isInteger() && dtype.lanes() == 1 && dtype.bits() % 8 == 0 && dtype.bits() <= 64;
  }

  /**
   * Writes an element.
   *
   * @throws NumberFormatException when the text is no element of the type
   */
  static void parse(DType dtype, String text, ByteBuffer target) {
    if (dtype.equals(DType.FLOAT32)) {
      float value = (float) number(text);
      target.putFloat(
          Float.isInfinite(value) ? exact(text, value) : Float.parseFloat(javaText(text)));
    } else if (dtype.equals(DType.FLOAT64)) {
      target.putDouble(number(text));
    } else if (dtype.equals(DType.BOOL)) {
      target.put((byte) bool(text));
    } else {
      integer(dtype, text, target);
    }
  }

  private static float exact(String text, float value) {
    if (!text.endsWith("inf")) {
      throw new NumberFormatException(text);
    }
    return value;
  }

  /** A double as text gives it; {@code nan}, {@code inf} and {@code -inf} are numbers. */
  static double number(String text) {
    double value = Double.parseDouble(javaText(text));
    if (Double.isInfinite(value) && !text.endsWith("inf")) {
      throw new NumberFormatException(text);
    }
    return value;
  }

  private static String javaText(String text) {
    return switch (text) {
      case "nan" -> "NaN";
      case "inf", "+inf" -> "Infinity";
      case "-inf" -> "-Infinity";
      default -> {
        // Java accepts more, such as a type suffix.
        if (!text.matches("[-+]?[0-9]+(\\.[0-9]*)?([eE][-+]?[0-9]+)?")) {
          throw new NumberFormatException(text);
        }
        yield text;
      }
    };
  }

  private static int bool(String text) {
    return switch (text) {
      case "false", "0" -> 0;
      case "true", "1" -> 1;
      default -> throw new NumberFormatException(text);
    };
  }

  private static void integer(DType dtype, String text, ByteBuffer target) {
    boolean unsigned = dtype.code() == TypeCode.UINT;
    long value = unsigned ? Long.parseUnsignedLong(text) : Long.parseLong(text);
    int spare = 64 - dtype.bits();
    long kept = unsigned ? value << spare >>> spare : value << spare >> spare;
    if (kept != value) {
      throw new NumberFormatException(text);
    }
    byte[] bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    target.put(bytes, 0, dtype.bits() / 8);
  }

  /** The elements in brackets, when every one has an exact text. */
  static Optional<String> print(Tensor tensor) {
    DType dtype = tensor.dtype();
    if (!supports(dtype)) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder("[");
    if (dtype.isFloat()) {
      for (double value : tensor.toDoubleArray()) {
        if (isOtherNan(dtype, value)) {
          return Optional.empty();
        }
        text.append(text.length() == 1 ? "" : ", ").append(print(dtype, value));
      }
    } else {
      boolean unsigned = dtype.code() == TypeCode.UINT;
      for (long value : tensor.toLongArray()) {
        if (dtype.equals(DType.BOOL) && value > 1) {
          return Optional.empty();
        }
        text.append(text.length() == 1 ? "" : ", ")
            .append(
                dtype.equals(DType.BOOL)
                    ? String.valueOf(value == 1)
                    : unsigned ? Long.toUnsignedString(value) : Long.toString(value));
      }
    }
    return Optional.of(text.append(']').toString());
  }

  /** Not-a-number with other bits than the usual one, which its text would lose. */
  private static boolean isOtherNan(DType dtype, double value) {
    if (!Double.isNaN(value)) {
      return false;
    }
    return dtype.equals(DType.FLOAT32)
        ? Float.floatToRawIntBits((float) value) != Float.floatToIntBits(Float.NaN)
        : Double.doubleToRawLongBits(value) != Double.doubleToLongBits(Double.NaN);
  }

  private static String print(DType dtype, double value) {
    if (dtype.equals(DType.FLOAT32) && Double.isFinite(value)) {
      return Float.toString((float) value);
    }
    return print(value);
  }

  /** A double that {@link #number} reads again. */
  static String print(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    return Double.isInfinite(value) ? (value > 0 ? "inf" : "-inf") : Double.toString(value);
  }
}
