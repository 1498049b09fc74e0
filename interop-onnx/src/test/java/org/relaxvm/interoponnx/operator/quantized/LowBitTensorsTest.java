package org.relaxvm.interoponnx.operator.quantized;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.interoponnx.operator.quantized.QuantizedModels.INT4;
import static org.relaxvm.interoponnx.operator.quantized.QuantizedModels.UINT4;
import static org.relaxvm.interoponnx.operator.quantized.QuantizedModels.bytes;
import static org.relaxvm.interoponnx.operator.quantized.QuantizedModels.dims;
import static org.relaxvm.interoponnx.operator.quantized.QuantizedModels.floats;
import static org.relaxvm.interoponnx.operator.quantized.QuantizedModels.memory;
import static org.relaxvm.interoponnx.operator.quantized.QuantizedModels.scalar;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.data.ElementType;

class LowBitTensorsTest {
  private static final DType E8M0 = new DType(TypeCode.FLOAT8_E8M0FNU, 8, 1);

  /** 1, 2, 3 and -8, 7, -1. */
  private static final Tensor SIX = bytes(INT4, dims(2, 3), 0x21, 0x83, 0xF7);

  @Test
  void operatorsThatMoveElementsTakeThem() {
    Tensor turned = QuantizedModels.of("Transpose", 25).input(SIX, "n", "m").run();
    assertThat(turned.dtype()).isEqualTo(INT4);
    assertThat(turned.shape()).isEqualTo(Shape.of(3, 2));
    assertThat(memory(turned)).containsExactly(0x81, 0x72, 0xF3);
    Tensor row =
        QuantizedModels.of("Gather", 25)
            .constant(SIX)
            .input(Tensor.of(new long[] {1}, Shape.of()))
            .run();
    assertThat(row.shape()).isEqualTo(Shape.of(3));
    assertThat(memory(row)).containsExactly(0x78, 0x0F);
  }

  @Test
  void emptyOnesHaveNoBytes() {
    Tensor none = Tensor.of(new byte[0], INT4, Shape.of(0, 3));
    Tensor turned = QuantizedModels.of("Transpose", 25).input(none, "n", 3).run();
    assertThat(turned.shape()).isEqualTo(Shape.of(3, 0));
    assertThat(memory(turned)).isEmpty();
  }

  @Test
  void fillsAreOfThem() {
    Tensor filled =
        QuantizedModels.of("ConstantOfShape", 25)
            .with("value", OnnxModels.tensor("", bytes(INT4, dims(1), 0x0A)))
            .constant(Tensor.of(new long[] {3}, Shape.of(1)))
            .run();
    assertThat(filled.dtype()).isEqualTo(INT4);
    assertThat(memory(filled)).containsExactly(0xAA, 0x0A);
  }

  @Test
  void largeConstantsAreUnpackedByTheProgram() {
    int count = 2001;
    int[] packed = new int[(count + 1) / 2];
    for (int i = 0; i < count; i++) {
      packed[i / 2] |= (i * 7 % 16) << (4 * (i % 2));
    }
    Tensor result =
        QuantizedModels.of("Cast", 25)
            .with("to", (long) ElementType.INT32.number())
            .constant(bytes(UINT4, dims(count), packed))
            .run();
    long[] elements = result.toLongArray();
    for (int i = 0; i < count; i++) {
      assertThat(elements[i]).isEqualTo(i * 7 % 16);
    }
  }

  @Test
  void otherOperatorsSayWhatToDo() {
    assertThatThrownBy(() -> QuantizedModels.of("Add", 25).input(SIX).input(SIX).run())
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("an input is of dtype int4, with which the operator does not compute")
        .hasMessageContaining("insert a Cast or a DequantizeLinear before it");
  }

  static Stream<Arguments> roundings() {
    return Stream.of(
        Arguments.of("up", List.of(127, 128, 128, 129)),
        Arguments.of("down", List.of(127, 127, 127, 128)),
        Arguments.of("nearest", List.of(127, 127, 128, 129)));
  }

  @ParameterizedTest
  @MethodSource("roundings")
  void castsToPowersOfTwoRound(String mode, List<Integer> expected) {
    Tensor codes =
        QuantizedModels.of("Cast", 25)
            .with("to", (long) ElementType.FLOAT8E8M0.number())
            .with("round_mode", mode)
            .input(floats(dims(4), 1, 1.25f, 1.5f, 3))
            .run();
    assertThat(codes.dtype()).isEqualTo(E8M0);
    assertThat(memory(codes)).containsExactly(expected.stream().mapToInt(n -> n).toArray());
  }

  @Test
  void castsBetweenFormatsGoByTheirNumbers() {
    Tensor fours = bytes(new DType(TypeCode.FLOAT4_E2M1FN, 4, 1), dims(4), 0x53, 0xF8);
    Tensor eights =
        QuantizedModels.of("Cast", 25)
            .with("to", (long) ElementType.FLOAT8E4M3FN.number())
            .input(fours)
            .run();
    assertThat(eights.toDoubleArray()).containsExactly(1.5, 3, -0.0, -6);
    Tensor integers =
        QuantizedModels.of("Cast", 25)
            .with("to", (long) ElementType.INT4.number())
            .input(fours)
            .run();
    assertThat(memory(integers)).containsExactly(0x31, 0xA0);
  }

  @Test
  void bitsStayInBitCasts() {
    Tensor floats =
        QuantizedModels.of("BitCast", 26)
            .with("to", (long) ElementType.FLOAT4E2M1.number())
            .input(SIX)
            .run();
    assertThat(floats.dtype().code()).isEqualTo(TypeCode.FLOAT4_E2M1FN);
    assertThat(memory(floats)).containsExactly(memory(SIX));
    assertThatThrownBy(
            () ->
                QuantizedModels.of("BitCast", 26)
                    .with("to", (long) ElementType.INT8.number())
                    .input(SIX)
                    .run())
        .hasMessageContaining(
            "elements of int4 have 4 bits, and those of int8 8; expected as many");
  }

  @Test
  void quantizesInBlocksThatDoNotDivideTheAxis() {
    Tensor x = floats(dims(1, 5), 1, -2, 3, 8, 100);
    Tensor scale = floats(dims(1, 3), 1, 0.5f, 4);
    Tensor zero = bytes(INT4, dims(1, 3), 0x21, 0x0F);
    Tensor q =
        QuantizedModels.of("QuantizeLinear", 25)
            .with("block_size", 2L)
            .input(x, "n", "m")
            .constant(scale)
            .constant(zero)
            .run();
    // 1 + 1, -2 + 1; 6 + 2, 16 + 2; 25 - 1, all within -8 to 7.
    assertThat(memory(q)).containsExactly(0xF2, 0x77, 0x07);
    Tensor back =
        QuantizedModels.of("DequantizeLinear", 25)
            .with("block_size", 2L)
            .input(q)
            .constant(scale)
            .constant(zero)
            .run();
    assertThat(back.toFloatArray()).containsExactly(1, -2, 2.5f, 2.5f, 32);
  }

  @Test
  void scalesMayBePowersOfTwo() {
    Tensor result =
        QuantizedModels.of("DequantizeLinear", 25)
            .with("output_dtype", (long) ElementType.FLOAT.number())
            .input(SIX)
            .constant(bytes(E8M0, dims(), 126))
            .run();
    assertThat(result.toFloatArray()).containsExactly(0.5f, 1, 1.5f, -4, 3.5f, -0.5f);
  }

  @Test
  void oneScaleCountsWhateverTheAxisIs() {
    Tensor result =
        QuantizedModels.of("DequantizeLinear", 13)
            .input(bytes(DType.UINT8, dims(2), 3, 5))
            .constant(floats(dims(1), 0.5f))
            .constant(scalar(DType.UINT8, 1))
            .run();
    assertThat(result.toFloatArray()).containsExactly(1, 2);
  }
}
