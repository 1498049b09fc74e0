package org.relaxvm.tir.op;

import static org.relaxvm.tir.op.Mistakes.refused;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.te.TensorExpr;

/** Matmuls, attention, normalizations, losses and quantization. */
class NeuralMistakesTest {
  private static String numbers(String op, String tensor) {
    return op + ": expected a dtype of numbers for " + tensor + ", but it is bool";
  }

  private static String floats(String op, String tensor) {
    return op + ": expected a float dtype for " + tensor + ", but it is int64";
  }

  private static String apart(String op, String tensor) {
    return op + ": expected one dtype, but a is float32 and " + tensor + " is int64";
  }

  @Test
  void operandsOfMatmulsFit() {
    String op = "matmul";
    refused(m -> LinearOps.matmul(m.k, "y", m.bools(4), m.bools(4), null), numbers(op, "a"));
    refused(m -> LinearOps.matmul(m.k, "y", m.ints(4), m.bools(4), null), numbers(op, "b"));
    refused(
        m -> LinearOps.matmul(m.k, "y", m.ints(), m.ints(4), null),
        op + ": expected a of rank 1 or more, but its rank is 0");
    refused(
        m -> LinearOps.matmul(m.k, "y", m.ints(4), m.ints(), null),
        op + ": expected b of rank 1 or more, but its rank is 0");
    refused(m -> LinearOps.matmul(m.k, "y", m.floats(4), m.ints(4), null), apart(op, "b"));
    refused(
        m -> LinearOps.matmul(m.k, "y", m.floats(2, 4), m.floats(3, 4), null),
        op + ": the reduced extents of a and b must be equal, but are 4 and 3");
  }

  @Test
  void weightsOfLayersFit() {
    String op = "linear";
    refused(m -> LinearOps.linear(m.k, "y", m.bools(4), m.bools(2, 4), null), numbers(op, "a"));
    refused(m -> LinearOps.linear(m.k, "y", m.floats(4), m.ints(2, 4), null), apart(op, "b"));
    refused(
        m -> LinearOps.linear(m.k, "y", m.floats(), m.floats(2, 4), null),
        op + ": expected a of rank 1 or more, but its rank is 0");
    refused(
        m -> LinearOps.linear(m.k, "y", m.floats(4), m.floats(4), null),
        op + ": expected b of rank 2, but its rank is 1");
    refused(
        m -> LinearOps.linear(m.k, "y", m.floats(4), m.floats(2, 3), null),
        op + ": the reduced extents must be equal, but are 4 and 3");
    refused(
        m -> LinearOps.linear(m.k, "y", m.floats(4), m.floats(2, 4), m.floats()),
        op + ": expected c of rank 1, but its rank is 0");
    refused(
        m -> LinearOps.linear(m.k, "y", m.floats(4), m.floats(2, 4), m.ints(2)), apart(op, "c"));
    refused(
        m -> LinearOps.linear(m.k, "y", m.floats(4), m.floats(2, 4), m.floats(3)),
        op + ": the extents of outputs must be equal, but are 3 and 2");
    refused(m -> LinearOps.outer(m.k, "y", m.bools(4), m.bools(4)), numbers("outer", "a"));
    refused(m -> LinearOps.outer(m.k, "y", m.floats(4), m.ints(4)), apart("outer", "b"));
    refused(
        m -> LinearOps.outer(m.k, "y", m.floats(4, 4), m.floats(4)),
        "outer: expected a of rank 1, but its rank is 2");
    refused(
        m -> LinearOps.outer(m.k, "y", m.floats(4), m.floats(4, 4)),
        "outer: expected b of rank 1, but its rank is 2");
  }

  private static void einsum(String subscripts, String message) {
    refused(
        m -> LinearOps.einsum(m.k, "y", List.of(m.floats(2, 4), m.floats(3, 4)), subscripts),
        "einsum: " + message);
  }

  @Test
  void lettersOfEinsumNameExtents() {
    einsum(
        "i1,jk->ij",
        "expected letters, commas and one arrow, with ... at most once for each tensor, but got"
            + " i1,jk->ij");
    einsum("ik->i", "ik->i is of 1 operand, but got 2");
    einsum("i,jk->ij", "expected a of rank 1, but its rank is 2");
    einsum("ik,jk->iz", "the letter z of the result must be in an operand, and once in the result");
    einsum("ik,ij->kj", "the extents of i must be equal, but are 2 and 3");
    refused(m -> LinearOps.einsum(m.k, "y", List.of(m.bools(4)), "i->i"), numbers("einsum", "a"));
    refused(
        m -> LinearOps.einsum(m.k, "y", List.of(m.floats(4), m.ints(4)), "i,i->i"),
        apart("einsum", "b"));
  }

  private static void attention(Attention call, String message) {
    refused(
        m -> {
          TensorExpr[] t = call.tensors(m);
          AttentionOps.attention(
              m.k, "y", t[0], t[1], t[2], null, null, AttentionOps.CausalMask.NONE);
        },
        "attention: " + message);
  }

  private interface Attention {
    TensorExpr[] tensors(Mistakes m);
  }

  private static Attention of(TensorShape q, TensorShape k, TensorShape v) {
    return m ->
        new TensorExpr[] {m.floats(q.extents()), m.floats(k.extents()), m.floats(v.extents())};
  }

  private record TensorShape(long... extents) {}

  private static TensorShape shape(long... extents) {
    return new TensorShape(extents);
  }

  @Test
  void queriesKeysAndValuesFit() {
    TensorShape plain = shape(1, 4, 2, 8);
    attention(
        m -> new TensorExpr[] {m.ints(1, 4, 2, 8), m.ints(1, 4, 2, 8), m.ints(1, 4, 2, 8)},
        "expected a float dtype for a, but it is int64");
    attention(
        m -> new TensorExpr[] {m.floats(1, 4, 2, 8), m.ints(1, 4, 2, 8), m.ints(1, 4, 2, 8)},
        "expected one dtype, but a is float32 and b is int64");
    attention(of(plain, shape(1, 4, 2), plain), "expected b of rank 4, but its rank is 3");
    attention(
        of(plain, shape(2, 4, 2, 8), plain),
        "the batches of q and k must be equal, but are 1 and 2");
    attention(
        of(plain, plain, shape(2, 4, 2, 8)),
        "the batches of q and v must be equal, but are 1 and 2");
    attention(
        of(plain, shape(1, 4, 2, 7), plain), "the sizes of q and k must be equal, but are 8 and 7");
    attention(
        of(plain, plain, shape(1, 5, 2, 8)),
        "the numbers of k and v must be equal, but are 4 and 5");
    attention(
        of(plain, plain, shape(1, 4, 1, 8)), "the heads of k and v must be equal, but are 2 and 1");
    attention(
        of(plain, shape(1, 4, 3, 8), shape(1, 4, 3, 8)),
        "the heads of q, 2, must be a multiple of those of k, 3");
  }

  @Test
  void normalizedAxesHaveParameters() {
    List<Integer> one = List.of(1);
    refused(
        m -> NormOps.layerNorm(m.k, "y", m.floats(2, 4), m.floats(3), null, one, 0),
        "layer_norm: the extents of axis 1 and b must be equal, but are 4 and 3");
    refused(
        m -> NormOps.layerNorm(m.k, "y", m.floats(2, 4), m.ints(4), null, one, 0),
        apart("layer_norm", "b"));
    refused(
        m -> NormOps.layerNorm(m.k, "y", m.floats(2, 4), m.floats(), null, one, 0),
        "layer_norm: expected b of rank 1, but its rank is 0");
    refused(
        m -> NormOps.layerNorm(m.k, "y", m.ints(2, 4), null, null, one, 0),
        floats("layer_norm", "a"));
    refused(m -> NormOps.rmsNorm(m.k, "y", m.ints(2, 4), null, one, 0), floats("rms_norm", "a"));
    refused(
        m -> NormOps.groupNorm(m.k, "y", m.floats(2, 4, 3), null, null, 2, 1, one, 0),
        "group_norm: the axis 1 of channels is among [1]");
    refused(
        m -> NormOps.groupNorm(m.k, "y", m.floats(2, 4, 3), null, null, 3, 1, List.of(2), 0),
        "group_norm: 4 channels cannot be divided into 3 groups");
    refused(
        m -> NormOps.instanceNorm(m.k, "y", m.floats(2, 4, 3), null, null, 1, one, 0),
        "instance_norm: the axis 1 of channels is among [1]");
    refused(
        m -> NormOps.batchNorm(m.k, "y", m.ints(2, 4), null, null, m.ints(4), m.ints(4), 1, 0),
        floats("batch_norm", "a"));
  }

  @Test
  void lossesHaveTargets() {
    String op = "cross_entropy_with_logits";
    refused(m -> SoftmaxOps.softmax(m.k, "y", m.ints(4), 0), floats("softmax", "a"));
    refused(
        m -> SoftmaxOps.crossEntropyWithLogits(m.k, "y", m.ints(4), m.ints(4)), floats(op, "a"));
    refused(
        m -> SoftmaxOps.crossEntropyWithLogits(m.k, "y", m.floats(4), m.ints(4)), apart(op, "b"));
    refused(
        m -> SoftmaxOps.crossEntropyWithLogits(m.k, "y", m.floats(), m.floats()),
        op + ": expected a of rank 1 or more, but its rank is 0");
    refused(
        m -> SoftmaxOps.crossEntropyWithLogits(m.k, "y", m.floats(4), m.floats()),
        op + ": expected b of rank 1, but its rank is 0");
  }

  @Test
  void quantizedValuesHaveAScaleOfTheirChannel() {
    DType small = DType.INT8;
    refused(
        m -> QuantizeOps.quantize(m.k, "y", m.ints(4), m.floats(), m.ints(), 0, small),
        floats("quantize", "a"));
    refused(
        m -> QuantizeOps.quantize(m.k, "y", m.floats(4), m.ints(), m.ints(), 0, small),
        apart("quantize", "b"));
    refused(
        m -> QuantizeOps.quantize(m.k, "y", m.floats(4), m.floats(), m.ints(), 0, DType.INT64),
        "quantize: expected integers of at most 32 bits, but got int64");
    refused(
        m -> QuantizeOps.quantize(m.k, "y", m.floats(4), m.floats(4), m.ints(), 1, small),
        "quantize: expected an axis of -1 to 0, but got 1");
    refused(
        m -> QuantizeOps.quantize(m.k, "y", m.floats(4), m.floats(4, 4), m.ints(), 0, small),
        "quantize: expected b of rank 1, but its rank is 2");
    refused(
        m -> QuantizeOps.quantize(m.k, "y", m.floats(4), m.floats(3), m.ints(), 0, small),
        "quantize: the extents of axis 0 and b must be equal, but are 4 and 3");
    refused(
        m -> QuantizeOps.dequantize(m.k, "y", m.bools(4), m.floats(), m.ints(), 0, DType.FLOAT32),
        numbers("dequantize", "a"));
    refused(
        m -> QuantizeOps.dequantize(m.k, "y", m.ints(4), m.ints(), m.ints(), 0, DType.FLOAT32),
        floats("dequantize", "b"));
    refused(
        m -> QuantizeOps.dequantize(m.k, "y", m.ints(4), m.floats(), m.ints(), 0, small),
        "dequantize: expected a float dtype, but got int8");
  }

  @Test
  void paddingFitsTheTensor() {
    refused(
        m -> PadOps.constant(m.k, "y", m.ints(4), List.of(1L), IntImm.of(0)),
        "pad: expected 2 numbers as widths, but got [1]");
    refused(
        m -> PadOps.pad(m.k, "y", m.ints(4), List.of(-1L, 0L), PadOps.Mode.REFLECT),
        "pad: expected widths of at least 0, but got [-1, 0]");
    refused(
        m -> PadOps.pad(m.k, "y", m.ints(4), List.of(4L, 0L), PadOps.Mode.REFLECT),
        "pad: the width 4 is too large for the extent 4 of axis 0");
    String shuffle = "pixel_shuffle";
    refused(
        m -> PadOps.pixelShuffle(m.k, "y", m.ints(4, 4), 2),
        shuffle + ": expected a of rank 3 or more, but its rank is 2");
    refused(
        m -> PadOps.pixelShuffle(m.k, "y", m.ints(4, 4, 4), 0),
        shuffle + ": expected a factor of at least 1, but got [0]");
    refused(
        m -> PadOps.pixelShuffle(m.k, "y", m.ints(6, 4, 4), 2),
        shuffle + ": 6 channels cannot be divided by 4");
  }
}
