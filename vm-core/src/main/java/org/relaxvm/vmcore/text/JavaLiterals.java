package org.relaxvm.vmcore.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.vmcore.executable.InstructionText;

/** Constants as Java expressions. */
final class JavaLiterals {
  private static final int MAX_LISTED_ELEMENTS = 16;

  /** A class file holds strings of at most 65535 bytes; a char takes at most three. */
  private static final int MAX_STRING_CHARS = 20_000;

  /** A multiple of three, so that chunks of base64 have no padding inside. */
  private static final int CHUNK_BYTES = 48_000;

  private JavaLiterals() {}

  static String of(Object constant) {
    return switch (constant) {
      case Long number -> number + "L";
      case Double number -> real(number);
      case String text -> of(text);
      case DType dtype -> of(dtype);
      case Shape shape -> of(shape);
      case Tensor tensor -> of(tensor);
      default -> throw InstructionText.unsupportedConstant(constant);
    };
  }

  static String of(String text) {
    if (text.length() <= MAX_STRING_CHARS) {
      return quoted(text);
    }
    List<String> parts = new ArrayList<>();
    for (int at = 0; at < text.length(); at += MAX_STRING_CHARS) {
      parts.add(quoted(text.substring(at, Math.min(text.length(), at + MAX_STRING_CHARS))));
    }
    return "String.join(\"\", " + String.join(", ", parts) + ")";
  }

  /** Program text has the escapes of Java, but Java reads unicode escapes before anything else. */
  private static String quoted(String text) {
    StringBuilder out = new StringBuilder();
    String quoted = Quoting.quote(text);
    for (int i = 0; i < quoted.length(); i++) {
      char c = quoted.charAt(i);
      if (c < 0x7F) {
        out.append(c);
      } else {
        out.append(String.format("\\u%04x", (int) c));
      }
    }
    return out.toString();
  }

  private static String real(double number) {
    long bits = Double.doubleToRawLongBits(number);
    return Double.isFinite(number)
        ? Double.toString(number)
        : "Double.longBitsToDouble(0x" + Long.toHexString(bits) + "L)";
  }

  private static String of(DType dtype) {
    return "new DType(TypeCode."
        + dtype.code().name()
        + ", "
        + dtype.bits()
        + ", "
        + dtype.lanes()
        + ")";
  }

  private static String of(Shape shape) {
    return LongStream.of(shape.toArray())
        .mapToObj(extent -> extent + "L")
        .collect(Collectors.joining(", ", "Shape.of(", ")"));
  }

  private static String of(Tensor constant) {
    boolean plain = constant.device().isHost() && constant.isContiguous();
    Tensor tensor = plain ? constant : constant.toHost();
    return array(tensor)
        .map(array -> "Tensor.of(" + array + ", " + of(tensor.shape()) + ")")
        .orElseGet(
            () ->
                "tensor("
                    + of(tensor.dtype())
                    + ", "
                    + of(tensor.shape())
                    + chunks(tensor.segment())
                    + ")");
  }

  /** An array expression, for few elements of a type that {@code Tensor.of} takes. */
  private static Optional<String> array(Tensor tensor) {
    DType dtype = tensor.dtype();
    if (tensor.elementCount() > MAX_LISTED_ELEMENTS || !Elements.supports(dtype)) {
      return Optional.empty();
    }
    String type;
    String suffix = "";
    if (dtype.equals(DType.FLOAT32)) {
      type = "float";
      suffix = "f";
    } else if (dtype.equals(DType.FLOAT64)) {
      type = "double";
    } else if (dtype.equals(DType.INT64)) {
      type = "long";
      suffix = "L";
    } else if (dtype.equals(DType.INT32)) {
      type = "int";
    } else if (dtype.equals(DType.INT8)) {
      type = "byte";
    } else if (dtype.equals(DType.BOOL)) {
      type = "boolean";
    } else {
      return Optional.empty();
    }
    List<String> elements = new ArrayList<>();
    for (long i = 0; i < tensor.elementCount(); i++) {
      Optional<String> element = Elements.print(dtype, tensor.segment(), i);
      if (element.isEmpty() || element.get().matches("-?(nan|inf)")) {
        return Optional.empty();
      }
      elements.add(element.get() + suffix);
    }
    return Optional.of("new " + type + "[] {" + String.join(", ", elements) + "}");
  }

  private static String chunks(MemorySegment memory) {
    StringBuilder out = new StringBuilder();
    Base64.Encoder encoder = Base64.getEncoder();
    for (long at = 0; at < memory.byteSize(); at += CHUNK_BYTES) {
      long length = Math.min(CHUNK_BYTES, memory.byteSize() - at);
      byte[] chunk = memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
      out.append(", \"").append(encoder.encodeToString(chunk)).append('"');
    }
    return out.toString();
  }
}
