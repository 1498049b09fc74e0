package org.relaxvm.api;

import java.util.Optional;

/**
 * The type codes of DLPack, with the base names that Apache TVM prints.
 *
 * <p>Source: DLPack {@code DLDataTypeCode}; docs/spec/executable-format.md, section 1.
 */
public enum TypeCode {
  INT(0, "int"),
  UINT(1, "uint"),
  FLOAT(2, "float"),
  HANDLE(3, "handle"),
  BFLOAT(4, "bfloat"),
  COMPLEX(5, "complex"),
  BOOL(6, "bool"),
  FLOAT8_E3M4(7, "float8_e3m4"),
  FLOAT8_E4M3(8, "float8_e4m3"),
  FLOAT8_E4M3B11FNUZ(9, "float8_e4m3b11fnuz"),
  FLOAT8_E4M3FN(10, "float8_e4m3fn"),
  FLOAT8_E4M3FNUZ(11, "float8_e4m3fnuz"),
  FLOAT8_E5M2(12, "float8_e5m2"),
  FLOAT8_E5M2FNUZ(13, "float8_e5m2fnuz"),
  FLOAT8_E8M0FNU(14, "float8_e8m0fnu"),
  FLOAT6_E2M3FN(15, "float6_e2m3fn"),
  FLOAT6_E3M2FN(16, "float6_e3m2fn"),
  FLOAT4_E2M1FN(17, "float4_e2m1fn");

  private final int code;
  private final String text;

  TypeCode(int code, String text) {
    this.code = code;
    this.text = text;
  }

  /** The number on disk and in DLPack. */
  public int code() {
    return code;
  }

  /** The base name, such as {@code float} or {@code float8_e4m3fn}. */
  public String text() {
    return text;
  }

  /** The type code of a number, or empty when DLPack has none. */
  public static Optional<TypeCode> of(int code) {
    TypeCode[] all = values();
    return code >= 0 && code < all.length ? Optional.of(all[code]) : Optional.empty();
  }
}
