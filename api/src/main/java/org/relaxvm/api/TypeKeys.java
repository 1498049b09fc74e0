package org.relaxvm.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.Module;

/**
 * What messages call the type of a value: in words, and as the type key of Apache TVM, so that
 * texts can be compared.
 */
public final class TypeKeys {
  private TypeKeys() {}

  /** The type of a value in words, with an article: {@code a tensor}. */
  public static String describe(@Nullable Object value) {
    return describeKey(of(value));
  }

  /** The type that a type key names, in words with an article; keys with blanks are words. */
  public static String describeKey(String key) {
    return switch (key) {
      case "None" -> "null";
      case "ffi.Tensor" -> "a tensor";
      case "ffi.Shape" -> "a shape";
      case "ffi.Array" -> "a tuple";
      case "ffi.String" -> "a string";
      case "ffi.Bytes" -> "bytes";
      case "ffi.Function" -> "a function";
      case "ffi.Map" -> "a map";
      case "ffi.Module" -> "a module";
      case "relax.vm.Closure" -> "a closure";
      case "vm.Storage" -> "a storage";
      case "DataType" -> "a data type";
      case "Device" -> "a device";
      case "int" -> "an integer";
      case "float" -> "a floating-point number";
      case "bool" -> "a boolean";
      case "void*" -> "a pointer";
      case "handle" -> "memory";
      default -> key.indexOf(' ') < 0 ? "of type " + key : "a " + key;
    };
  }

  /**
   * The type key of a value, which of other objects is that of a {@link TypedObject} or of the
   * {@link TypeKey} of their class; registers' {@link ScalarTag}s and boxed scalars are both
   * accepted.
   */
  public static String of(@Nullable Object value) {
    return switch (value) {
      case null -> "None";
      case ScalarTag tag -> tag.typeKey();
      case Tensor _ -> "ffi.Tensor";
      case Shape _ -> "ffi.Shape";
      case Tuple _ -> "ffi.Array";
      case String _ -> "ffi.String";
      case DType _ -> "DataType";
      case DeviceId _ -> "Device";
      case Storage _ -> "vm.Storage";
      case Closure _ -> "relax.vm.Closure";
      case PackedFunc _ -> "ffi.Function";
      case Module _ -> "ffi.Module";
      case byte[] _ -> "ffi.Bytes";
      case VmContext _ -> "void*";
      case TypedObject object -> object.typeKey();
      case List<?> _ -> "ffi.Array";
      case Map<?, ?> _ -> "ffi.Map";
      default -> {
        ScalarTag tag = ScalarTag.of(value);
        yield tag != null ? tag.typeKey() : ofClass(value.getClass());
      }
    };
  }

  /** Whether a value is a {@link TypedObject}, or of a class that has a {@link TypeKey}. */
  public static boolean isObject(@Nullable Object value) {
    return value instanceof TypedObject
        || (value != null && value.getClass().isAnnotationPresent(TypeKey.class));
  }

  /** The key that a class has; its name where it has none. */
  private static String ofClass(Class<?> type) {
    TypeKey key = type.getAnnotation(TypeKey.class);
    return key != null ? key.value() : type.getName();
  }
}
