package org.relaxvm.compiler.op.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.compiler.op.Rules.floats;
import static org.relaxvm.compiler.op.Rules.ints;
import static org.relaxvm.compiler.op.Rules.is;
import static org.relaxvm.compiler.op.Rules.ofRank;
import static org.relaxvm.compiler.op.Rules.refused;
import static org.relaxvm.compiler.op.Rules.someFloats;
import static org.relaxvm.compiler.op.Rules.tensor;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.layout.IndexMap;

class LayoutsTest {
  private final Var n = Var.index("n");

  private static IndexMap blocks() {
    return IndexMap.of(
        1, i -> List.of(Exprs.floorDiv(i.getFirst(), 4), Exprs.floorMod(i.getFirst(), 4)));
  }

  @Test
  void moveElementsToTheIndicesOfAMap() {
    IndexMap swap = IndexMap.of(2, i -> List.of(i.get(1), i.get(0)));
    Tensor data = Tensor.of(new long[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));
    is(Layouts.layoutTransform(floats(2, n), swap), "R.Tensor((n, 2), dtype=\"float32\")");
    is(Layouts.layoutTransform(ofRank(2), swap), "R.Tensor(dtype=\"float32\", ndim=2)");
    is(Layouts.layoutTransform(someFloats(), blocks()), "R.Tensor(dtype=\"float32\", ndim=2)");
    is(Layouts.layoutTransform(floats(14), blocks(), 0), "R.Tensor((4, 4), dtype=\"float32\")");
    assertThat(Execution.text(Layouts.layoutTransform(ints(2, n), swap), data))
        .isEqualTo("int64 [3, 2] [1, 4, 2, 5, 3, 6]");
    assertThat(
            Execution.text(
                Layouts.layoutTransform(ints(6), blocks(), -1),
                Tensor.of(new long[] {1, 2, 3, 4, 5, 6}, Shape.of(6))))
        .isEqualTo("int64 [2, 4] [1, 2, 3, 4, 5, 6, -1, -1]");
  }

  @Test
  void refuseMapsThatAreNone() {
    refused(
        Layouts.layoutTransform(floats(14), blocks()),
        "layout_transform: expected a value for positions without an element of x, which there are"
            + " or may be, but got none");
    refused(
        Layouts.layoutTransform(floats(2, 2), blocks()),
        "layout_transform: the argument x must be a tensor with 1 axis, but is R.Tensor((2, 2),"
            + " dtype=\"float32\")");
    refused(
        Call.of(Layouts.LAYOUT_TRANSFORM, List.of(floats(2)), Attrs.of("index_map", "i")),
        "layout_transform: the index_map must be a map with the entries axes and places");
    refused(
        Call.of(Layouts.LAYOUT_TRANSFORM, List.of(floats(2)), Attrs.of("index_map", Map.of())),
        "layout_transform: the index_map must be a map with the entries axes and places, but is"
            + " {}");
    Object unknown = Map.of("axes", 1, "places", List.of("j"));
    refused(
        Call.of(Layouts.LAYOUT_TRANSFORM, List.of(floats(2)), Attrs.of("index_map", unknown)),
        "layout_transform: an output index of an index map must be a number, an axis from i0 to i0,"
            + " or a list of + - * // or % and two of these, but is j");
    PrimExpr other = Exprs.min(n, Exprs.add(n, 1));
    assertThatThrownBy(() -> IndexMapAttr.encode(IndexMap.of(1, i -> List.of(other))))
        .hasMessage(
            "layout_transform: an output index of an index map is made of the index, numbers and +"
                + " - * // %, but is min(n, n + 1)");
  }

  @Test
  void sumWhatBroadcastingRepeats() {
    Tensor data = Tensor.of(new long[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));
    is(
        CollapseSums.collapseSumTo(floats(2, 3, n), ShapeExpr.of(3, 1)),
        "R.Tensor((3, 1), dtype=\"float32\")");
    is(
        CollapseSums.collapseSumLike(floats(2, n), tensor(DType.INT8, n)),
        "R.Tensor((n,), dtype=\"float32\")");
    assertThat(Execution.text(CollapseSums.collapseSumTo(ints(2, n), ShapeExpr.of(1, n)), data))
        .isEqualTo("int64 [1, 3] [5, 7, 9]");
    assertThat(
            Execution.text(
                CollapseSums.collapseSumLike(ints(2, n), ints(2, 1)),
                data,
                Tensor.zeros(DType.INT64, Shape.of(2, 1))))
        .isEqualTo("int64 [2, 1] [6, 15]");
    refused(
        CollapseSums.collapseSumTo(floats(2, 3), ShapeExpr.of(2)),
        "collapse_sum_to: nothing of the shape (2,) can be repeated to give (2, 3)");
    refused(
        CollapseSums.collapseSumLike(floats(2), ofRank(2)),
        "collapse_sum_like: nothing of the shape R.Tensor(dtype=\"float32\", ndim=2) can be"
            + " repeated to give (2,)");
  }
}
