package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.error.CallException;

/** The text form and sizes of dtypes; vectors of docs/spec/executable-format.md, section 1.1. */
class DTypeTest {
  @ParameterizedTest
  @CsvSource({
    "int8, INT, 8, 1",
    "int32, INT, 32, 1",
    "uint1, UINT, 1, 1",
    "uint64, UINT, 64, 1",
    "float16, FLOAT, 16, 1",
    "float32x4, FLOAT, 32, 4",
    "float64xvscalex2, FLOAT, 64, -2",
    "bfloat16, BFLOAT, 16, 1",
    "bool, BOOL, 8, 1",
    "boolx4, BOOL, 8, 4",
    "bool1, BOOL, 1, 1",
    "int4, INT, 4, 1",
    "int4x8, INT, 4, 8",
    "float8_e4m3fn, FLOAT8_E4M3FN, 8, 1",
    "float8_e4m3fnx4, FLOAT8_E4M3FN, 8, 4",
    "float6_e2m3fn, FLOAT6_E2M3FN, 6, 1",
    "float4_e2m1fnx2, FLOAT4_E2M1FN, 4, 2",
  })
  void textGoesBothWays(String text, TypeCode code, int bits, int lanes) {
    DType dtype = new DType(code, bits, lanes);
    assertThat(dtype).hasToString(text);
    assertThat(DType.parse(text)).isEqualTo(dtype);
  }

  @ParameterizedTest
  @EnumSource
  void everyCodeHasATextThatIsReadBack(TypeCode code) {
    int bits =
        switch (code) {
          case BOOL -> 8;
          case HANDLE, COMPLEX -> 64;
          default -> code.text().contains("_") ? Integer.parseInt(code.text().substring(5, 6)) : 16;
        };
    DType dtype = new DType(code, bits, 1);
    assertThat(DType.parse(dtype.toString())).isEqualTo(dtype);
    assertThat(TypeCode.of(code.code())).contains(code);
  }

  @Test
  void unknownCodesAreEmpty() {
    assertThat(TypeCode.of(18)).isEmpty();
    assertThat(TypeCode.of(-1)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "i8, int8",
    "u8, uint8",
    "f16, float16",
    "bf16, bfloat16",
    "int, int32",
    "uint, uint32",
    "float, float32",
    "bfloat, bfloat16",
    "fp8_e4m3fn, float8_e4m3fn",
    "f8_e5m2, float8_e5m2",
    "fp6_e3m2fn, float6_e3m2fn",
    "f4_e2m1fn, float4_e2m1fn",
    "float4_e2m1fn_x2, float4_e2m1fnx2",
    "floatx4, float32x4",
    "float8_e4m3fnuz, float8_e4m3fnuz",
    "float8_e4m3, float8_e4m3",
    "handle, handle",
    "handle64, handle",
  })
  void aliasesAndDefaultsAreRead(String text, String canonical) {
    assertThat(DType.parse(text)).hasToString(canonical);
  }

  @Test
  void voidPrintsAsNothing() {
    assertThat(DType.parse("")).isEqualTo(DType.VOID);
    assertThat(DType.parse("void")).isEqualTo(DType.VOID);
    assertThat(DType.VOID).hasToString("");
  }

  @ParameterizedTest
  @ValueSource(strings = {"flaot32", "i", "f", "int256", "int32y", "int32 ", "int32_x2", "x4", "8"})
  void unknownTextsAreRefused(String text) {
    assertThatThrownBy(() -> DType.parse(text))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "unknown dtype '"
                + text
                + "'\n  expected: a name such as float32, int64, uint8, bool, bfloat16 or"
                + " float8_e4m3fn, optionally with lanes such as x4");
  }

  @ParameterizedTest
  @ValueSource(strings = {"int32x0", "int32x", "int32x-4", "int32x65536", "float32xvscalex0"})
  void badLanesAreRefused(String text) {
    assertThatThrownBy(() -> DType.parse(text))
        .hasMessage("the lanes of dtype '" + text + "' must be an integer from 1 to 32767");
  }

  @ParameterizedTest
  @CsvSource({
    "float32, 3, 12",
    "bool, 3, 3",
    "int4, 3, 2",
    "int4, 4, 2",
    "int4, 0, 0",
    "uint1, 9, 2",
    "float6_e2m3fn, 3, 3",
    "float4_e2m1fnx2, 3, 3",
    "float32x4, 2, 32",
    "int4x8, 3, 12",
    "float32, 576460752303423488, 2305843009213693952",
  })
  void byteSizeRoundsTheBitsOfAllElementsUp(String text, long elements, long bytes) {
    assertThat(DType.parse(text).byteSize(elements)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"float32, 2305843009213693952", "int4, 9223372036854775807", "int8, -1"})
  void byteSizesBeyond63BitsAreRefused(String text, long elements) {
    assertThatThrownBy(() -> DType.parse(text).byteSize(elements))
        .hasMessage(
            "the byte size of " + elements + " elements of " + text + " is not in 0 to 2^63-1");
  }

  @Test
  void scalableLanesHaveNoByteSize() {
    assertThatThrownBy(() -> DType.parse("float32xvscalex4").byteSize(1))
        .hasMessage("dtype float32xvscalex4 has scalable lanes and so no fixed byte size");
  }

  @Test
  void elementByteSizeNeedsByteBoundaries() {
    assertThat(DType.parse("int4x2").elementByteSize()).isOne();
    assertThat(DType.parse("float32x4").elementByteSize()).isEqualTo(16);
    assertThatThrownBy(() -> DType.parse("int4").elementByteSize())
        .hasMessage("elements of int4 do not start on byte boundaries");
    assertThat(DType.VOID.isByteAligned()).isFalse();
  }

  @Test
  void rangesOfBitsAndLanesAreChecked() {
    assertThatThrownBy(() -> new DType(TypeCode.INT, 256, 1))
        .hasMessage("dtype bits must be 0 to 255, but got 256 for int");
    assertThatThrownBy(() -> new DType(TypeCode.INT, 8, 40000))
        .hasMessage("dtype lanes must fit 16 signed bits, but got 40000 for int");
  }
}
