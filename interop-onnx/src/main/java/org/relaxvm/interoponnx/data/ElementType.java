package org.relaxvm.interoponnx.data;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.interoponnx.proto.TensorProto.Field;

/** The element types of ONNX, in the order of their numbers. */
public enum ElementType {
  UNDEFINED(null, null),
  FLOAT(DType.FLOAT32, Field.FLOATS),
  UINT8(DType.UINT8, Field.INT32S),
  INT8(DType.INT8, Field.INT32S),
  UINT16(DType.UINT16, Field.INT32S),
  INT16(DType.INT16, Field.INT32S),
  INT32(DType.INT32, Field.INT32S),
  INT64(DType.INT64, Field.INT64S),
  STRING(null, null),
  BOOL(DType.BOOL, Field.INT32S),
  FLOAT16(DType.FLOAT16, Field.INT32S),
  DOUBLE(DType.FLOAT64, Field.DOUBLES),
  UINT32(DType.UINT32, Field.UINT64S),
  UINT64(DType.UINT64, Field.UINT64S),
  COMPLEX64(new DType(TypeCode.COMPLEX, 64, 1), Field.FLOATS),
  COMPLEX128(new DType(TypeCode.COMPLEX, 128, 1), Field.DOUBLES),
  BFLOAT16(DType.BFLOAT16, Field.INT32S),
  FLOAT8E4M3FN(DType.FLOAT8_E4M3FN, Field.INT32S),
  FLOAT8E4M3FNUZ(new DType(TypeCode.FLOAT8_E4M3FNUZ, 8, 1), Field.INT32S),
  FLOAT8E5M2(DType.FLOAT8_E5M2, Field.INT32S),
  FLOAT8E5M2FNUZ(new DType(TypeCode.FLOAT8_E5M2FNUZ, 8, 1), Field.INT32S),
  UINT4(new DType(TypeCode.UINT, 4, 1), Field.INT32S),
  INT4(new DType(TypeCode.INT, 4, 1), Field.INT32S),
  FLOAT4E2M1(new DType(TypeCode.FLOAT4_E2M1FN, 4, 1), Field.INT32S),
  FLOAT8E8M0(new DType(TypeCode.FLOAT8_E8M0FNU, 8, 1), Field.INT32S),
  UINT2(new DType(TypeCode.UINT, 2, 1), Field.INT32S),
  INT2(new DType(TypeCode.INT, 2, 1), Field.INT32S);

  private final @Nullable DType dtype;
  private final @Nullable Field field;

  ElementType(@Nullable DType dtype, @Nullable Field field) {
    this.dtype = dtype;
    this.field = field;
  }

  /** The element type of a number; {@link #UNDEFINED} for one that ONNX does not have. */
  public static ElementType of(long number) {
    ElementType[] all = values();
    return number >= 0 && number < all.length ? all[(int) number] : UNDEFINED;
  }

  /**
   * The element type of a name of the format, such as {@code FLOAT}; {@link #UNDEFINED} if none.
   */
  public static ElementType of(String name) {
    return Arrays.stream(values())
        .filter(type -> type.name().equalsIgnoreCase(name))
        .findFirst()
        .orElse(UNDEFINED);
  }

  /** The element type of a dtype; {@link #UNDEFINED} where ONNX has none. */
  public static ElementType of(DType dtype) {
    for (ElementType type : values()) {
      if (dtype.equals(type.dtype)) {
        return type;
      }
    }
    return UNDEFINED;
  }

  /** The number in the format. */
  public int number() {
    return ordinal();
  }

  /** The dtype of tensors; null for strings and for the undefined type. */
  public @Nullable DType dtype() {
    return dtype;
  }

  /** The typed field that holds elements when there is no raw data, or null. */
  @Nullable Field field() {
    return field;
  }

  /** The name in messages, such as {@code float32}. */
  public String string() {
    return dtype == null ? name().toLowerCase(Locale.ROOT) : dtype.toString();
  }
}
