package org.relaxvm.api.object;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;

/**
 * Values and objects as text for people, in the notation of the original: {@code
 * ir.IntImm(span=None, ty=..., value=1)}. What is nested deep or long is shortened.
 */
public final class Representation {
  /** The method by which a type prints its objects itself; it returns a string. */
  public static final String METHOD = "__ffi_repr__";

  private static final ObjectTypes VALUES = ObjectTypes.of(List.of());
  private static final int MAX_DEPTH = 12;
  private static final int MAX_LENGTH = 20_000;
  private static final String SHORTENED = "...";

  private final ObjectTypes types;
  private final StringBuilder text = new StringBuilder();

  private Representation(ObjectTypes types) {
    this.types = types;
  }

  /** A value or node as text; objects of other classes as their own {@code toString} says. */
  public static String of(@Nullable Object value) {
    return of(value, VALUES);
  }

  /** A value or an object of one of the types as text. */
  public static String of(@Nullable Object value, ObjectTypes types) {
    Representation representation = new Representation(types);
    representation.append(value, 0);
    return representation.text.toString();
  }

  private void append(@Nullable Object value, int depth) {
    if (depth > MAX_DEPTH || isLong()) {
      text.append(SHORTENED);
      return;
    }
    switch (value) {
      case null -> text.append("None");
      case Boolean bool -> text.append(bool ? "True" : "False");
      case Double number -> text.append(number(number));
      case String string -> quote(string);
      case byte[] bytes -> bytes(bytes);
      case Shape shape -> text.append("Shape").append(sequence(shape));
      case Tensor tensor -> tensor(tensor);
      case DType dtype -> text.append(dtype.equals(DType.VOID) ? "void" : dtype.toString());
      case DeviceId device -> text.append(device);
      case List<?> list -> elements(list, "(", list.size() == 1 ? ",)" : ")", depth);
      case ListObject list -> elements(list.elements(), "[", "]", depth);
      case Map<?, ?> map -> entries(map, depth);
      case DictObject dict -> entries(dict.entries(), depth);
      case ModuleBytes module ->
          text.append("ffi.Module(").append(module.byteSize()).append(" bytes)");
      default -> object(value, depth);
    }
  }

  private void object(Object value, int depth) {
    ObjectType type = types.typeOf(value).orElse(null);
    if (type == null) {
      text.append(value);
      return;
    }
    PackedFunc own = type.methods().get(METHOD);
    if (own != null) {
      try (Value printed = own.invoke(value)) {
        text.append(printed.asString());
      }
      return;
    }
    text.append(type.key()).append('(');
    for (int i = 0; i < type.fields().size(); i++) {
      text.append(i == 0 ? "" : ", ").append(type.fields().get(i).name()).append('=');
      append(type.get(value, i), depth + 1);
    }
    text.append(')');
  }

  private void elements(Iterable<?> elements, String open, String close, int depth) {
    text.append(open);
    Iterator<?> iterator = elements.iterator();
    while (iterator.hasNext() && !isLong()) {
      append(iterator.next(), depth + 1);
      text.append(iterator.hasNext() ? ", " : "");
    }
    text.append(iterator.hasNext() ? SHORTENED : "").append(close);
  }

  private void entries(Map<?, ?> entries, int depth) {
    text.append('{');
    Iterator<? extends Map.Entry<?, ?>> iterator = entries.entrySet().iterator();
    while (iterator.hasNext() && !isLong()) {
      Map.Entry<?, ?> entry = iterator.next();
      append(entry.getKey(), depth + 1);
      text.append(": ");
      append(entry.getValue(), depth + 1);
      text.append(iterator.hasNext() ? ", " : "");
    }
    text.append(iterator.hasNext() ? SHORTENED : "").append('}');
  }

  private boolean isLong() {
    return text.length() > MAX_LENGTH;
  }

  private static String number(double number) {
    if (Double.isNaN(number)) {
      return "nan";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "inf" : "-inf";
    }
    return Double.toString(number);
  }

  private static String sequence(Shape shape) {
    StringBuilder dims = new StringBuilder("(");
    for (int i = 0; i < shape.rank(); i++) {
      dims.append(i == 0 ? "" : ", ").append(shape.dim(i));
    }
    return dims.append(')').toString();
  }

  private void tensor(Tensor tensor) {
    text.append(tensor.dtype()).append('[');
    for (int i = 0; i < tensor.shape().rank(); i++) {
      text.append(i == 0 ? "" : ", ").append(tensor.shape().dim(i));
    }
    text.append("]@").append(tensor.device().id());
  }

  private void bytes(byte[] bytes) {
    text.append("b\"");
    for (byte b : bytes) {
      if (isLong()) {
        text.append(SHORTENED);
        break;
      }
      if (b >= ' ' && b < 0x7f && b != '"' && b != '\\') {
        text.append((char) b);
      } else {
        text.append(String.format("\\x%02x", b & 0xff));
      }
    }
    text.append('"');
  }

  private void quote(String string) {
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      if (isLong()) {
        text.append(SHORTENED);
        break;
      }
      char c = string.charAt(i);
      switch (c) {
        case '"' -> text.append("\\\"");
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        case '\t' -> text.append("\\t");
        case '\r' -> text.append("\\r");
        default -> {
          if (c < ' ' || c == 0x7f) {
            text.append(String.format("\\x%02x", (int) c));
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }
}
