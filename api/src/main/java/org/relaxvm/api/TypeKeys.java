package org.relaxvm.api;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.Module;

/** What messages call a value: the type keys of Apache TVM, so that texts can be compared. */
public final class TypeKeys {
  private TypeKeys() {}

  /** The type key of a value; registers' {@link ScalarTag}s and boxed scalars are both accepted. */
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
      default -> {
        ScalarTag tag = ScalarTag.of(value);
        yield tag != null ? tag.typeKey() : value.getClass().getName();
      }
    };
  }
}
