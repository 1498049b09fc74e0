package org.relaxvm.tir.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

class NeuralErrorsTest {
  private final KernelBuilder k = new KernelBuilder("k");

  private TensorExpr input(String name, DType dtype, long... shape) {
    List<PrimExpr> extents =
        LongStream.of(shape).<PrimExpr>mapToObj(extent -> IntImm.of(extent)).toList();
    return k.input(name, dtype, extents);
  }

  @Test
  void aWindowNeedsACausalMaskAndAKey() {
    TensorExpr q = input("Q", DType.FLOAT32, 1, 2, 1, 3);
    String problem = "attention: a window needs a causal mask and at least one key, but it is of ";
    assertThatThrownBy(
            () ->
                AttentionOps.attention(
                    k, "Y", q, q, q, null, null, AttentionOps.CausalMask.NONE, 4L))
        .hasMessage(problem + "4 keys with the mask none");
    assertThatThrownBy(
            () ->
                AttentionOps.attention(
                    k, "Y", q, q, q, null, null, AttentionOps.CausalMask.TOP_LEFT, 0L))
        .hasMessage(problem + "0 keys with the mask TopLeft");
  }

  @Test
  void aWindowHasNoFunctionOfTheLibrary() {
    TensorExpr q = input("Q", DType.FLOAT32, 1, 2, 1, 3);
    TensorExpr keys = input("K", DType.FLOAT32, 1, 2, 1, 3);
    TensorExpr v = input("V", DType.FLOAT32, 1, 2, 1, 3);
    AttentionOps.CausalMask mask = AttentionOps.CausalMask.TOP_LEFT;
    TensorExpr whole = AttentionOps.attention(k, "Y", q, keys, v, null, null, mask, null);
    assertThat(k.build(whole).attrs()).containsEntry("library", "relaxvm.attention");
    TensorExpr part = AttentionOps.attention(k, "P", q, keys, v, null, null, mask, 1L);
    assertThat(k.build(part).attrs()).isEmpty();
  }

  private void refuses(String subscripts, String message, TensorExpr... operands) {
    assertThatThrownBy(() -> LinearOps.einsum(k, "Y", List.of(operands), subscripts))
        .hasMessage("einsum: " + message);
  }

  @Test
  void ellipsesMustFit() {
    TensorExpr a = input("A", DType.FLOAT32, 2, 3, 4);
    TensorExpr b = input("B", DType.FLOAT32, 5, 4);
    refuses("...i->i", "the result of ...i->i lacks the ... that operands have", a);
    refuses(
        "...i...",
        "expected letters, commas and one arrow, with ... at most once for each tensor, but got"
            + " ...i...",
        a);
    refuses(
        "..i->i",
        "expected letters, commas and one arrow, with ... at most once for each tensor, but got"
            + " ..i->i",
        a);
    refuses("...abcd", "expected A of rank 4 or more, but its rank is 3", a);
    refuses("...i,...i", "the extents of an axis of ... must be equal, but are 3 and 5", a, b);
    refuses("...i,i", "expected B of rank 1, but its rank is 2", a, b);
  }

  @Test
  void dropoutIsOfFloats() {
    assertThatThrownBy(() -> DropoutOps.dropout(k, "Y", input("X", DType.INT32, 2)))
        .hasMessage("dropout: expected a float dtype for X, but it is int32");
  }
}
