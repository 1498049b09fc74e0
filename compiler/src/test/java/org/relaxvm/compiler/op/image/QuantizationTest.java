package org.relaxvm.compiler.op.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.tensor;
import static org.relaxvm.compiler.op.OpCalls.textOf;
import static org.relaxvm.compiler.op.OpCalls.unknown;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.RelaxVar;

class QuantizationTest {
  private static final RelaxVar X = floats("x", 2, 3);
  private static final RelaxVar SCALE = floats("s");
  private static final RelaxVar ZERO = tensor("z", DType.INT8);
  private static final RelaxVar Q = tensor("q", DType.INT8, 2, 3);

  @Test
  void derivesTheType() {
    assertThat(textOf(Quantization.quantize(X, SCALE, ZERO, -1, DType.UINT8)))
        .isEqualTo("R.Tensor((2, 3), dtype=\"uint8\")");
    assertThat(textOf(Call.of(Quantization.QUANTIZE, X, floats("s", 3), ZERO)))
        .isEqualTo("R.Tensor((2, 3), dtype=\"int8\")");
    assertThat(
            textOf(Quantization.dequantize(Q, SCALE, tensor("z", DType.INT8, 2), 0, DType.FLOAT16)))
        .isEqualTo("R.Tensor((2, 3), dtype=\"float16\")");
    assertThat(textOf(Call.of(Quantization.DEQUANTIZE, unknown("q"), unknown("s"), unknown("z"))))
        .isEqualTo("R.Tensor(dtype=\"float32\")");
    assertThat(Quantization.quantize(X, SCALE, ZERO, -1, DType.UINT8))
        .hasToString("R.quantize(x, s, z, out_dtype=uint8, axis=-1)");
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(
            Quantization.quantize(Q, SCALE, ZERO, -1, DType.INT8),
            "quantize: the argument data must be a tensor of floats, but is"
                + " R.Tensor((2, 3), dtype=\"int8\")"),
        Arguments.of(
            Quantization.quantize(X, tensor("s", DType.FLOAT16), ZERO, -1, DType.INT8),
            "quantize: expected one dtype, but data is float32 and scale is float16; use astype"),
        Arguments.of(
            Quantization.quantize(X, floats("s", 2), ZERO, -1, DType.INT8),
            "quantize: the extents of axis 1 of data and scale must be equal, but are 3 and 2"),
        Arguments.of(
            Quantization.quantize(X, floats("s", 2), ZERO, 2, DType.INT8),
            "quantize: there is no axis 2 of 2 axes; expected one from -2 to 1"),
        Arguments.of(
            Quantization.quantize(X, SCALE, tensor("z", DType.INT8, 1, 3), -1, DType.INT8),
            "quantize: the argument zero_point must be a tensor without axes, or with 1 axis, but"
                + " is R.Tensor((1, 3), dtype=\"int8\")"),
        Arguments.of(
            Quantization.quantize(X, SCALE, ZERO, -1, DType.INT64),
            "quantize: out_dtype must be integers of at most 32 bits, but is int64"),
        Arguments.of(
            Quantization.dequantize(Q, SCALE, ZERO, -1, DType.INT32),
            "dequantize: out_dtype must be floats, but is int32"),
        Arguments.of(
            Quantization.dequantize(tensor("q", DType.BOOL, 2), SCALE, ZERO, -1, DType.FLOAT32),
            "dequantize: the argument data must be a tensor of numbers, but is"
                + " R.Tensor((2,), dtype=\"bool\")"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesWhatIsCertainlyWrong(Call call, String message) {
    assertThat(messageOf(call)).isEqualTo(message);
  }

  @Test
  void computesIntegersAndFloats() {
    Tensor data = Tensor.of(new float[] {-1, 0.5f, 1.5f, 2, 3, 1000}, Shape.of(2, 3));
    Tensor scale = Tensor.of(new float[] {1, 1, 2}, Shape.of(3));
    Tensor zero = Tensor.of(new byte[] {1}, Shape.of());
    Call quantize = Quantization.quantize(X, floats("s", 3), ZERO, 1, DType.INT8);
    assertThat(compute(quantize, data, scale, zero).getFirst().toLongArray())
        .containsExactly(0, 1, 2, 3, 4, 127);
    Tensor small = Tensor.of(new byte[] {1, 2, 3, -1, 0, 1}, Shape.of(2, 3));
    Tensor half = Tensor.of(new float[] {0.5f}, Shape.of());
    Call dequantize = Quantization.dequantize(Q, SCALE, ZERO, -1, DType.FLOAT32);
    assertThat(compute(dequantize, small, half, zero).getFirst().toFloatArray())
        .containsExactly(0, 0.5f, 1, -1, -0.5f, 0);
  }
}
