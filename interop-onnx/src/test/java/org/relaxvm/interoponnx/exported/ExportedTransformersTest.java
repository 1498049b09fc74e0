package org.relaxvm.interoponnx.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.relaxvm.interoponnx.exported.Compiled.assertSame;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxModels;

/**
 * Transformers as exporters write them, with symbolic batches and sequences: which kernels they
 * call, none of them for shapes, and that they compute the same as without optimizations.
 */
class ExportedTransformersTest {
  private final Random random = new Random(3);

  private Tensor ids(long batch, long sequence) {
    return ids(batch, sequence, 30);
  }

  private Tensor ids(long batch, long sequence, int bound) {
    long[] values = random.longs(batch * sequence, 0, bound).toArray();
    return Tensor.of(values, Shape.of(batch, sequence));
  }

  /** No kernel computes integers: positions, shapes and masks are parts of other kernels. */
  private static void assertNoShapeArithmetic(OnnxModels models) {
    assertThat(Compiled.calls(models))
        .extracting(Compiled.KernelCall::dtype)
        .doesNotContain("int64", "int32");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anEncoderHasOneKernelForEachStep(boolean scaledOperands) {
    OnnxModels models = Encoder.models(scaledOperands);
    assertNoShapeArithmetic(models);
    assertThat(Compiled.kinds(models))
        .containsOnly(
            entry(
                scaledOperands
                    ? "fused_expand_dims_expand_dims_broadcast_to_cast_subtract_cast_where"
                    : "fused_expand_dims_expand_dims_cast_subtract_multiply",
                1L),
            entry("fused_strided_slice_take", 1L),
            entry("fused_take_add", 1L),
            entry("layer_norm", 5L),
            entry("fused_matmul_add", 6L),
            entry("attention", 2L),
            // Products with bias and residual; reshapes are views.
            entry("fused_matmul_add_add", 4L),
            entry("fused_matmul_add_gelu", 2L),
            entry("reshape", 8L));
    assertSame(Encoder.models(scaledOperands), ids(2, 5), mask(2, 5));
    assertSame(Encoder.models(scaledOperands), ids(1, 1), mask(1, 1));
  }

  /** The last position of the first sequence is padding. */
  private static Tensor mask(long batch, long sequence) {
    long[] values = new long[(int) (batch * sequence)];
    Arrays.fill(values, 1);
    if (sequence > 1) {
      values[(int) sequence - 1] = 0;
    }
    return Tensor.of(values, Shape.of(batch, sequence));
  }

  @Test
  void aDecoderWithACacheHasOneKernelForEachStep() {
    OnnxModels models = Decoder.models();
    assertNoShapeArithmetic(models);
    assertThat(Compiled.kinds(models))
        .containsOnly(
            entry("fused_arange_expand_dims_reshape_reshape_take_take_add", 1L),
            entry("layer_norm", 5L),
            entry("fused_matmul_add", 2L),
            entry("fused_strided_slice_reshape", 2L),
            // Keys and values: what is new after the cache, then both as a result.
            entry("fused_strided_slice_reshape_transpose_take_concatenate", 4L),
            entry("fused_expand_dims_expand_dims_concatenate", 2L),
            entry("transpose", 4L),
            // The causal mask, once for all layers.
            entry("fused_strided_slice_strided_slice", 1L),
            entry("where", 1L),
            entry("attention", 2L),
            entry("reshape", 2L),
            entry("fused_matmul_add_add", 4L),
            entry("fused_matmul_add_gelu_tanh", 2L),
            entry("matmul", 1L));
    assertSame(Decoder.models(), ids(2, 3), past(2, 4), past(2, 4));
    assertSame(Decoder.models(), ids(1, 1), past(1, 7), past(1, 7));
    assertSame(Decoder.models(), ids(2, 4), past(2, 0), past(2, 0));
  }

  private Tensor past(long batch, long length) {
    return ExportedGraph.random(random, 2, batch, Decoder.HEADS, length, Decoder.SIZE);
  }

  @Test
  void aDecoderWithSharedHeadsHasOneKernelForEachStep() {
    OnnxModels models = RotaryDecoder.models();
    assertNoShapeArithmetic(models);
    assertThat(Compiled.kinds(models))
        .containsOnly(
            entry("take", 1L),
            entry("fused_full_triu_expand_dims_expand_dims_broadcast_to", 1L),
            entry("fused_broadcast_to_expand_dims_cast_matmul_transpose_concatenate", 1L),
            entry("fused_tir_cos_expand_dims", 1L),
            entry("fused_tir_sin_expand_dims", 1L),
            entry("rms_norm", 5L),
            entry("matmul", 6L),
            // Rotary embeddings of queries and keys; keys and values are not repeated.
            entry(
                "fused_reshape_transpose_strided_slice_strided_slice_tir_negative_concatenate"
                    + "_multiply_multiply_add_transpose",
                4L),
            entry("attention", 2L),
            entry("reshape", 4L),
            entry("fused_matmul_add", 4L),
            entry("fused_matmul_silu", 2L),
            entry("fused_matmul_multiply", 2L));
    assertSame(RotaryDecoder.models(), ids(2, 5), ids(2, 5, 9));
    assertSame(RotaryDecoder.models(), ids(1, 1), ids(1, 1, 9));
  }
}
