package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TensorElementTest {
  @ParameterizedTest
  @CsvSource({
    "bool, 1, 1",
    "int8, -128, -128",
    "uint8, 255, 255",
    "int16, -32768, -32768",
    "uint16, 65535, 65535",
    "int32, -2147483648, -2147483648",
    "uint32, 4294967295, 4294967295",
    "int64, -9223372036854775808, -9223372036854775808",
    "uint64, 18446744073709549568, 18446744073709549568",
    "float8_e4m3fn, 1.1, 1.125",
    "float8_e4m3fn, -449, -448",
    "float8_e4m3fn, 500, NaN",
    "float8_e5m2, 1.1, 1.0",
    "float8_e5m2, 65536, Infinity",
    "float16, 1.5, 1.5",
    "bfloat16, 1.00390625, 1",
    "bfloat16, 1.01171875, 1.015625",
    "bfloat16, NaN, NaN",
    "float32, 0.1, 0.10000000149011612",
    "float64, 0.1, 0.1",
  })
  void fillAndReadBack(String dtype, double value, double read) {
    for (long length : new long[] {1, 7}) {
      Tensor tensor = Tensor.zeros(DType.parse(dtype), Shape.of(length));
      tensor.fill(value);
      assertThat(tensor.toDoubleArray()).hasSize((int) length).containsOnly(read);
      assertThat(tensor.doubleAt(length - 1)).isEqualTo(Double.valueOf(read));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "int8, 128.0",
    "int8, -129.0",
    "uint8, -1.0",
    "int32, 1.5",
    "int64, 9.223372036854775807E18",
    "uint64, 1.8446744073709552E19",
    "int32, NaN",
    "float8_e4m3b11fnuz, 1.0"
  })
  void fillRefusesWhatTheDtypeCannotHold(String dtype, double value) {
    Tensor tensor = Tensor.zeros(DType.parse(dtype), Shape.of(2));
    assertThatThrownBy(() -> tensor.fill(value))
        .hasMessage("elements of " + dtype + " cannot hold the value " + value);
  }

  @Test
  void fillKeepsToAStridedView() {
    Tensor tensor = Tensor.zeros(DType.INT8, Shape.of(3, 3));
    tensor.slice(1, 1, 2).fill(4);
    assertThat(tensor.toLongArray()).containsExactly(0, 4, 0, 0, 4, 0, 0, 4, 0);
    Tensor.zeros(DType.INT8, Shape.of(0)).fill(1);
  }

  @Test
  void accessorsFollowStrides() {
    Tensor tensor = Tensor.of(new int[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3)).permute(1, 0);
    assertThat(tensor.longAt(2, 0)).isEqualTo(3);
    assertThat(tensor.doubleAt(0, 1)).isEqualTo(4);
  }

  @Test
  void indicesAreChecked() {
    Tensor tensor = Tensor.zeros(DType.INT32, Shape.of(2, 3));
    assertThatThrownBy(() -> tensor.longAt(0, 3))
        .hasMessage("index [0, 3] is outside of shape [2, 3]");
    assertThatThrownBy(() -> tensor.longAt(-1, 0)).hasMessageContaining("[-1, 0] is outside");
    assertThatThrownBy(() -> tensor.doubleAt(0)).hasMessage("index [0] is outside of shape [2, 3]");
  }

  @Test
  void floatsAreNoIntegers() {
    Tensor tensor = Tensor.scalar(1f);
    String message = "elements of float32 are no integers; read them as doubles";
    assertThatThrownBy(() -> tensor.longAt()).hasMessage(message);
    assertThatThrownBy(tensor::toLongArray).hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"float8_e5m2fnuz", "complex64", "float32x2"})
  void otherDtypesAreNotReadAsNumbers(String dtype) {
    Tensor tensor = Tensor.zeros(DType.parse(dtype), Shape.of(2));
    assertThatThrownBy(tensor::toDoubleArray)
        .hasMessage("elements of " + dtype + " cannot be read as numbers; use segment()");
    assertThat(tensor.toDisplayString(10)).isEqualTo("(elements of " + dtype + " cannot be shown)");
  }

  @Test
  void displayShowsNestedBrackets() {
    assertThat(Tensor.of(new float[] {1, 2.5f, -3, 4}, Shape.of(2, 2)).toDisplayString(10))
        .isEqualTo("[[1.0, 2.5],\n [-3.0, 4.0]]");
    assertThat(Tensor.scalar(7L).toDisplayString(10)).isEqualTo("7");
    assertThat(Tensor.of(new boolean[] {true, false}, Shape.of(2)).toDisplayString(10))
        .isEqualTo("[true, false]");
    assertThat(Tensor.zeros(DType.INT8, Shape.of(2, 0)).toDisplayString(10)).isEqualTo("[]");
    assertThat(Tensor.zeros(DType.INT8, Shape.of(1, 2, 1)).toDisplayString(10))
        .isEqualTo("[[[0],\n  [0]]]");
    assertThat(Tensor.of(new double[] {0.1}, Shape.of(1)).toDisplayString(1)).isEqualTo("[0.1]");
    assertThat(
            Tensor.of(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1}, DType.UINT64, Shape.of(1))
                .toDisplayString(1))
        .isEqualTo("[18446744073709551615]");
  }

  @Test
  void displayShortensLongAxes() {
    int[] values = new int[20];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    assertThat(Tensor.of(values, Shape.of(20)).toDisplayString(19))
        .isEqualTo("[0, 1, 2, ..., 17, 18, 19]");
    assertThat(Tensor.of(values, Shape.of(20)).toDisplayString(20))
        .startsWith("[0, 1, 2, 3, ")
        .endsWith(", 19]");
    assertThat(Tensor.of(values, Shape.of(10, 2)).toDisplayString(5))
        .isEqualTo("[[0, 1],\n [2, 3],\n [4, 5],\n ...,\n [14, 15],\n [16, 17],\n [18, 19]]");
  }
}
