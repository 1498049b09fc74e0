package org.relaxvm.interoponnx.operator.quantized;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.interoponnx.operator.quantized.QuantizedModels.INT4;
import static org.relaxvm.interoponnx.operator.quantized.QuantizedModels.bytes;
import static org.relaxvm.interoponnx.operator.quantized.QuantizedModels.dims;
import static org.relaxvm.interoponnx.operator.quantized.QuantizedModels.floats;
import static org.relaxvm.interoponnx.operator.quantized.QuantizedModels.scalar;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

class QuantizedOperatorsTest {
  private static final DType U8 = DType.UINT8;
  private static final DType I8 = DType.INT8;

  // ---------------------------------------------------------------- products

  @ParameterizedTest
  @ValueSource(longs = {2, -3})
  void anAxisThatTheInputHasNotIsOnlyOfTheWholeTensor(long axis) {
    Tensor x = floats(dims(2, 2), 1, 2, 3, 4);
    assertThat(
            QuantizedModels.of("QuantizeLinear", 13)
                .with("axis", axis)
                .input(x)
                .constant(scalar(0.5f))
                .run()
                .toLongArray())
        .containsExactly(2, 4, 6, 8);
    QuantizedModels perChannel =
        QuantizedModels.of("QuantizeLinear", 13)
            .with("axis", axis)
            .input(x)
            .constant(floats(dims(2), 0.5f, 0.25f));
    assertThatThrownBy(perChannel::run)
        .hasMessageContaining("axis is " + axis)
        .hasMessageContaining("expected one of the 2 axes of the input");
  }

  @Test
  void zeroPointsOfRowsAndColumns() {
    Tensor product =
        QuantizedModels.of("MatMulInteger", 10)
            .input(bytes(U8, dims(2, 2), 10, 20, 30, 40), "n", 2)
            .input(bytes(I8, dims(2, 2), 1, -2, 3, 4))
            .constant(bytes(U8, dims(2), 10, 30))
            .constant(bytes(I8, dims(2), 1, -2))
            .run();
    // (0 10; 0 10) times (0 0; 2 6).
    assertThat(product.dtype()).isEqualTo(DType.INT32);
    assertThat(product.toLongArray()).containsExactly(20, 60, 20, 60);
  }

  @Test
  void aroundAConvolutionThereIsTheZeroPoint() {
    Tensor sums =
        QuantizedModels.of("ConvInteger", 10)
            .with("pads", List.of(1L, 0L))
            .input(bytes(U8, dims(1, 2, 3), 5, 6, 7, 8, 9, 10))
            .constant(bytes(U8, dims(1, 2, 2), 1, 2, 3, 4))
            .constant(scalar(U8, 5))
            .constant(bytes(U8, dims(1), 1))
            .run();
    assertThat(sums.shape()).isEqualTo(Shape.of(1, 1, 3));
    assertThat(sums.toLongArray()).containsExactly(9, 6 + 12 + 1, 8 + 15 + 2);
  }

  @Test
  void convolutionsWithScalesOfChannelsAndBias() {
    Tensor y =
        QuantizedModels.of("QLinearConv", 10)
            .input(bytes(U8, dims(1, 1, 2), 130, 140))
            .constant(scalar(0.5f))
            .constant(scalar(U8, 128))
            .constant(bytes(I8, dims(2, 1, 1), 2, -3))
            .constant(floats(dims(2), 1, 0.5f))
            .constant(bytes(I8, dims(2), 0, 1))
            .constant(scalar(0.25f))
            .constant(scalar(U8, 10))
            .constant(Tensor.of(new int[] {1, -2}, Shape.of(2)))
            .run();
    // Sums 4 + 1 and 24 + 1 times 2, and -8 - 2 and -48 - 2 times 1, all plus 10.
    assertThat(y.toLongArray()).containsExactly(20, 60, 0, 0);
  }

  @Test
  void gemmWithoutScaleOfTheResultGivesFloats() {
    QuantizedModels node =
        QuantizedModels.ofMicrosoft("QGemm")
            .with("transB", 1L)
            .with("alpha", 0.5f)
            .input(bytes(U8, dims(1, 2), 3, 5), "n", 2)
            .constant(scalar(0.5f))
            .constant(scalar(U8, 1))
            .constant(bytes(I8, dims(2, 2), 1, 2, -1, 4))
            .constant(floats(dims(2), 2, 4))
            .constant(scalar(I8, 0))
            .constant(Tensor.of(new int[] {10, -4}, Shape.of(2)));
    // (2 4) times (1 -1; 2 4) is (10 14).
    assertThat(node.run().toFloatArray()).containsExactly(10, 10);
  }

  @Test
  void dynamicProductsComeNearThoseOfFloats() {
    Tensor y =
        QuantizedModels.ofMicrosoft("DynamicQuantizeMatMul")
            .input(floats(dims(1, 2), 1, -1))
            .constant(bytes(U8, dims(2, 2), 129, 130, 126, 128))
            .constant(floats(dims(2), 0.5f, 1))
            .constant(bytes(U8, dims(2), 128, 128))
            .constant(floats(dims(2), 10, 20))
            .run();
    assertThat(y.toFloatArray()[0]).isCloseTo(11.5f, within(0.02f));
    assertThat(y.toFloatArray()[1]).isCloseTo(22, within(0.02f));
  }

  @Test
  void integersToFloats() {
    Tensor y =
        QuantizedModels.ofMicrosoft("MatMulIntegerToFloat")
            .input(bytes(I8, dims(2, 1), 3, -4))
            .constant(bytes(U8, dims(1, 2), 7, 2))
            .constant(scalar(0.5f))
            .constant(floats(dims(2), 1, 2))
            .absent()
            .constant(scalar(U8, 2))
            .constant(floats(dims(2), 1, 1))
            .run();
    assertThat(y.toFloatArray()).containsExactly(8.5f, 1, -9, 1);
  }

  // ---------------------------------------------------------------- functions

  private static QuantizedModels one(String operator, Tensor x, float scale, int zero) {
    return QuantizedModels.ofMicrosoft(operator)
        .input(x)
        .constant(scalar(scale))
        .constant(scalar(x.dtype(), zero));
  }

  private static QuantizedModels result(QuantizedModels node, float scale, int zero, DType dtype) {
    return node.constant(scalar(scale)).constant(scalar(dtype, zero));
  }

  static Stream<Arguments> functions() {
    Tensor x = bytes(U8, dims(1, 2, 1, 2), 10, 14, 30, 0);
    return Stream.of(
        Arguments.of(
            result(one("QLinearSigmoid", x, 0.5f, 10), 0.0078125f, 0, U8),
            List.of(64L, 113L, 128L, 1L)),
        Arguments.of(
            result(one("QLinearLeakyRelu", x, 0.5f, 10).with("alpha", 0.5f), 0.5f, 5, U8),
            List.of(5L, 9L, 25L, 0L)),
        Arguments.of(
            result(one("QLinearGlobalAveragePool", x, 0.5f, 10), 0.5f, 0, U8), List.of(2L, 5L)),
        Arguments.of(
            result(
                one("QLinearGlobalAveragePool", x, 0.5f, 10).with("channels_last", 1L),
                0.5f,
                0,
                U8),
            List.of(10L, 0L)),
        Arguments.of(
            result(
                one("QLinearAveragePool", x, 0.5f, 10).with("kernel_shape", List.of(1L, 2L)),
                0.5f,
                0,
                U8),
            List.of(2L, 5L)),
        Arguments.of(
            result(one("QLinearSoftmax", bytes(U8, dims(1, 2), 3, 3), 1, 0), 0.25f, 0, U8),
            List.of(2L, 2L)));
  }

  @ParameterizedTest
  @MethodSource("functions")
  void functionsOfDequantizedElements(QuantizedModels node, List<Long> expected) {
    assertThat(node.run().toLongArray())
        .containsExactly(expected.stream().mapToLong(n -> n).toArray());
  }

  @ParameterizedTest
  @ValueSource(strings = {"QLinearAdd", "QLinearMul"})
  void twoOperandsBroadcast(String operator) {
    Tensor y =
        result(
                one(operator, bytes(I8, dims(2, 1), 2, -4), 0.5f, 0)
                    .constant(bytes(I8, dims(2), 3, 5))
                    .constant(scalar(1))
                    .constant(scalar(I8, 1)),
                0.5f,
                -1,
                I8)
            .run();
    assertThat(y.toLongArray())
        .containsExactly(
            operator.equals("QLinearAdd") ? new long[] {5, 9, -1, 3} : new long[] {3, 7, -9, -17});
  }

  @Test
  void tensorsOfSeveralScalesAreJoined() {
    Tensor y =
        QuantizedModels.ofMicrosoft("QLinearConcat")
            .with("axis", 0L)
            .constant(scalar(0.5f))
            .constant(scalar(U8, 1))
            .input(bytes(U8, dims(1), 4))
            .constant(scalar(1))
            .constant(scalar(U8, 2))
            .input(bytes(U8, dims(2), 4, 8))
            .constant(scalar(0.25f))
            .constant(scalar(U8, 0))
            .run();
    assertThat(y.toLongArray()).containsExactly(5, 3, 5);
  }

  @Test
  void whereHasThreeScales() {
    Tensor y =
        QuantizedModels.ofMicrosoft("QLinearWhere")
            .input(bytes(DType.BOOL, dims(2), 1, 0))
            .input(bytes(U8, dims(2), 4, 4))
            .constant(scalar(1))
            .constant(scalar(U8, 0))
            .input(bytes(U8, dims(2), 4, 8))
            .constant(scalar(0.25f))
            .constant(scalar(U8, 0))
            .constant(scalar(0.5f))
            .constant(scalar(U8, 0))
            .run();
    assertThat(y.toLongArray()).containsExactly(8, 4);
  }

  // ---------------------------------------------------------------- blocks

  private static QuantizedModels product(long bits, long k, long blockSize, int rows) {
    float[] x = new float[(int) (rows * k)];
    for (int i = 0; i < x.length; i++) {
      x[i] = i % k + 1;
    }
    return QuantizedModels.ofMicrosoft("MatMulNBits")
        .with("K", k)
        .with("N", 2L)
        .with("bits", bits)
        .with("block_size", blockSize)
        .input(floats(dims(rows, k), x), "m", k);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void fourBitsWithPackedZeroPoints(int rows) {
    // Rows 1 2 3 and 15 0 8 with zero points 1, 2 and 0, 8, and scales 1, 2 and 0.5, 4.
    Tensor y =
        product(4, 3, 2, rows)
            .constant(bytes(U8, dims(2, 2, 1), 0x21, 0xF3, 0x0F, 0x78))
            .constant(floats(dims(4), 1, 2, 0.5f, 4))
            .constant(bytes(U8, dims(2), 0x21, 0x80))
            .absent()
            .constant(floats(dims(2), 100, 200))
            .run();
    float[] expected = new float[2 * rows];
    for (int row = 0; row < rows; row++) {
      expected[2 * row] = 108;
      expected[2 * row + 1] = 207.5f;
    }
    assertThat(y.shape()).isEqualTo(Shape.of(rows, 2));
    assertThat(y.toFloatArray()).containsExactly(expected);
  }

  @Test
  void zeroPointsAreHalfOfTheRangeOrFloats() {
    Tensor q = bytes(U8, dims(2, 1, 1), 0xE4, 0x1B);
    Tensor scales = floats(dims(2), 1, 2);
    // Rows 0 1 2 3 and 3 2 1 0.
    assertThat(product(2, 4, 4, 1).constant(q).constant(scales).run().toFloatArray())
        .containsExactly(0, -20);
    Tensor zero = floats(dims(2), 0.5f, 1);
    assertThat(product(2, 4, 4, 1).constant(q).constant(scales).constant(zero).run().toFloatArray())
        .containsExactly(15, 0);
  }

  @Test
  void eightBitsAreBytes() {
    Tensor y =
        product(8, 2, 16, 1)
            .constant(
                bytes(
                    U8,
                    dims(2, 1, 16),
                    130,
                    127,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9, //
                    0,
                    255,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9,
                    9))
            .constant(floats(dims(2, 1), 0.5f, 1))
            .run();
    assertThat(y.toFloatArray()).containsExactly(0, 126);
  }

  @Test
  void groupsInAnotherOrderAreRefused() {
    assertThatThrownBy(
            () ->
                product(4, 2, 2, 1)
                    .constant(bytes(U8, dims(2, 1, 1), 1, 2))
                    .constant(floats(dims(2), 1, 1))
                    .absent()
                    .constant(Tensor.of(new int[] {1, 0}, Shape.of(2)))
                    .run())
        .hasMessageContaining("g_idx gives element 0 the block 1; blocks must be in order");
  }

  @Test
  void rowsOfPackedTablesAreGathered() {
    Tensor indices = Tensor.of(new long[] {1, -2}, Shape.of(2));
    QuantizedModels bytes =
        QuantizedModels.ofMicrosoft("GatherBlockQuantized")
            .with("block_size", 16L)
            .with("bits", 4L)
            .constant(bytes(U8, dims(2, 2), 0x98, 0xBA, 0x10, 0x32))
            .input(indices, "n")
            .constant(floats(dims(2, 1), 1, 0.5f));
    assertThat(bytes.run().toFloatArray()).containsExactly(-4, -3.5f, -3, -2.5f, 0, 1, 2, 3);
    QuantizedModels fours =
        QuantizedModels.ofMicrosoft("GatherBlockQuantized")
            .with("block_size", 2L)
            .constant(bytes(INT4, dims(2, 4), 0x98, 0xBA, 0x10, 0x32))
            .input(indices, "n")
            .constant(floats(dims(2, 2), 1, 2, 0.5f, 4))
            .constant(bytes(INT4, dims(2, 2), 0x0F, 0x21));
    assertThat(fours.run().toFloatArray()).containsExactly(-0.5f, 0, 0, 4, -7, -6, -12, -10);
  }
}
