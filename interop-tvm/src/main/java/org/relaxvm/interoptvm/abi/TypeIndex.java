package org.relaxvm.interoptvm.abi;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Closure;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.spi.Module;

/** What a cell holds, as its first word says (docs/spec/native-library.md, section 2.1). */
public final class TypeIndex {
  public static final int NONE = 0;
  public static final int INT = 1;
  public static final int BOOL = 2;
  public static final int FLOAT = 3;
  public static final int OPAQUE_POINTER = 4;
  public static final int DATA_TYPE = 5;
  public static final int DEVICE = 6;
  public static final int DL_TENSOR_POINTER = 7;
  public static final int RAW_STRING = 8;
  public static final int BYTE_ARRAY_POINTER = 9;
  public static final int OBJECT_RVALUE_REF = 10;
  public static final int SMALL_STRING = 11;
  public static final int SMALL_BYTES = 12;

  /** From here on a cell points at an object. */
  public static final int OBJECT = 64;

  public static final int STRING = 65;
  public static final int BYTES = 66;
  public static final int FUNCTION = 68;
  public static final int SHAPE = 69;
  public static final int TENSOR = 70;
  public static final int ARRAY = 71;
  public static final int MODULE = 73;

  private TypeIndex() {}

  /** The type of an object. */
  public static int ofObject(@Nullable Object object) {
    return switch (object) {
      case String _ -> STRING;
      case byte[] _ -> BYTES;
      case Shape _ -> SHAPE;
      case Tensor _ -> TENSOR;
      case Tuple _ -> ARRAY;
      case Closure _ -> OBJECT;
      case PackedFunc _ -> FUNCTION;
      case Module _ -> MODULE;
      case null, default -> OBJECT;
    };
  }
}
