package org.relaxvm.api.io;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The element type of an array as NumPy's {@code descr} says it, such as {@code <f4}.
 *
 * @param order {@code <} little endian, {@code >} big endian, {@code |} does not matter
 * @param kind {@code b} bool, {@code i} and {@code u} integers, {@code f} float, {@code c} complex,
 *     {@code V} bare bytes, or any other of NumPy's letters
 * @param byteSize bytes per element
 */
record NpyType(char order, char kind, int byteSize) {
  private static final String READABLE =
      "bool, int8 to int64, uint8 to uint64, float16, float32, float64, complex64 and complex128";

  static NpyType parse(String text, NpySource where) {
    if (!text.matches("[<>|=][a-zA-Z][0-9]{0,6}(\\[.*])?")) {
      throw where.malformed(
          "its element type is '" + text + "'; expected a text such as '<f4' or '|b1'");
    }
    char kind = text.charAt(1);
    String digits = text.substring(2);
    if (kind == 'O') {
      throw where.unsupported(
          "its elements are Python objects, which only Python can load; expected " + READABLE);
    }
    if ("mM".indexOf(kind) >= 0 || digits.isEmpty()) {
      throw refused(text, where);
    }
    char order = text.charAt(0) == '=' ? '<' : text.charAt(0);
    NpyType type = new NpyType(order, kind, Integer.parseInt(digits));
    if (type.kind != 'V' && type.dtypeOrNull() == null) {
      throw refused(text, where);
    }
    return type;
  }

  private static RuntimeException refused(String text, NpySource where) {
    return where.unsupported(
        "tensors have no counterpart of its element type '"
            + text
            + "'; convert the array to one of "
            + READABLE
            + " with astype before saving it");
  }

  /** The type that a dtype is written as. */
  static NpyType of(DType dtype) {
    boolean plain = dtype.lanes() == 1 && dtype.isByteAligned();
    int bytes = plain ? dtype.elementByteSize() : 0;
    char kind =
        switch (dtype.code()) {
          case INT -> 'i';
          case UINT -> 'u';
          case FLOAT -> 'f';
          case COMPLEX -> 'c';
          case BOOL -> 'b';
          case HANDLE -> '?';
          default -> 'V';
        };
    NpyType type = new NpyType(bytes == 1 && kind != 'V' ? '|' : '<', kind, bytes);
    boolean bare = kind == 'V' && bytes > 0;
    if (!bare && !dtype.equals(type.dtypeOrNull())) {
      throw new CallException(
          ErrorKind.VALUE,
          "dtype " + dtype + " has no form in a .npy file; cast the tensor before writing it");
    }
    return type;
  }

  /** The dtype of the elements in memory, given what the caller says of it. */
  DType dtype(@Nullable DType wanted, NpySource where) {
    DType own = dtypeOrNull();
    if (own == null && wanted == null) {
      throw where.unsupported(
          "its elements are bare bytes ('"
              + this
              + "'), as NumPy writes bfloat16 and float8; say which dtype they are when reading"
              + " it");
    }
    if (wanted == null || wanted.equals(own)) {
      return own != null ? own : DType.VOID;
    }
    if (own != null) {
      throw where.unsupported("its elements are " + own + ", but " + wanted + " was asked for");
    }
    if (!wanted.isByteAligned() || wanted.elementByteSize() != byteSize) {
      throw where.unsupported(
          "its elements have "
              + byteSize
              + (byteSize == 1 ? " byte" : " bytes")
              + " each, which is not the size of "
              + wanted);
    }
    return wanted;
  }

  /** Bytes that are swapped together when the order is big endian. */
  int unitByteSize() {
    return kind == 'c' ? byteSize / 2 : byteSize;
  }

  private @Nullable DType dtypeOrNull() {
    return switch ("" + kind + byteSize) {
      case "b1" -> DType.BOOL;
      case "i1" -> DType.INT8;
      case "i2" -> DType.INT16;
      case "i4" -> DType.INT32;
      case "i8" -> DType.INT64;
      case "u1" -> DType.UINT8;
      case "u2" -> DType.UINT16;
      case "u4" -> DType.UINT32;
      case "u8" -> DType.UINT64;
      case "f2" -> DType.FLOAT16;
      case "f4" -> DType.FLOAT32;
      case "f8" -> DType.FLOAT64;
      case "c8" -> new DType(TypeCode.COMPLEX, 64, 1);
      case "c16" -> new DType(TypeCode.COMPLEX, 128, 1);
      default -> null;
    };
  }

  /** NumPy's text, such as {@code <f4}. */
  @Override
  public String toString() {
    return "" + order + kind + byteSize;
  }
}
