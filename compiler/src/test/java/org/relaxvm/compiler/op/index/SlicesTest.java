package org.relaxvm.compiler.op.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.Rules.floats;
import static org.relaxvm.compiler.op.Rules.ints;
import static org.relaxvm.compiler.op.Rules.is;
import static org.relaxvm.compiler.op.Rules.of;
import static org.relaxvm.compiler.op.Rules.ofRank;
import static org.relaxvm.compiler.op.Rules.refused;
import static org.relaxvm.compiler.op.Rules.scalar;
import static org.relaxvm.compiler.op.Rules.someFloats;
import static org.relaxvm.compiler.op.Rules.tensor;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.Execution;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

class SlicesTest {
  private static final long ALL = Long.MAX_VALUE;
  private final Var n = Var.index("n");
  private final Var m = Var.index("m");

  private static Expr slice(RelaxVar x, long begin, long end, long stride) {
    return Slices.stridedSlice(x, List.of(0L), List.of(begin), List.of(end), List.of(stride));
  }

  private static Expr symbolic(RelaxVar x, PrimExpr begin, PrimExpr end, boolean inbound) {
    return Slices.stridedSlice(
        x,
        ShapeExpr.of(0),
        Tuple.of(new PrimValue(begin)),
        Tuple.of(new PrimValue(end)),
        ShapeExpr.of(1),
        inbound);
  }

  private static String vector(Object length) {
    return "R.Tensor((" + length + ",), dtype=\"float32\")";
  }

  @Test
  void haveAsManyElementsAsTheBoundsLeave() {
    is(slice(floats(10), 2, 7, 1), vector(5));
    is(slice(floats(10), 2, 7, 2), vector(3));
    is(slice(floats(10), -3, ALL, 1), vector(3));
    is(slice(floats(10), -30, -8, 1), vector(2));
    is(slice(floats(10), 7, 2, 1), vector(0));
    is(slice(floats(10), 20, 30, 1), vector(0));
    is(slice(floats(10), ALL, -11, -1), vector(10));
    is(slice(floats(10), 8, 1, -3), vector(3));
    is(slice(floats(10), 8, -1, -1), vector(0));
    is(slice(floats(0), 0, ALL, 1), vector(0));
    is(slice(floats(n), 0, ALL, 1), vector("n"));
    is(slice(floats(n), 1, ALL, 1), vector("n - min(n, 1)"));
    is(slice(floats(n), 0, ALL, 2), vector("(n + 1) // 2"));
    is(slice(floats(n), -1, ALL, 1), vector("n - max(n - 1, 0)"));
    is(
        Slices.stridedSlice(floats(4, n, 6), List.of(2L, -3L), List.of(1L, 0L), List.of(3L, 2L)),
        "R.Tensor((2, n, 2), dtype=\"float32\")");
    is(
        Slices.stridedSlice(floats(4), List.of(), List.of(), List.of()),
        "R.Tensor((4,), dtype=\"float32\")");
  }

  @Test
  void takeSymbolicBounds() {
    is(symbolic(floats(n), n, Exprs.add(n, 3), true), vector(3));
    is(symbolic(floats(n), Exprs.sub(n, 1), n, true), vector(1));
    RelaxVar x = floats(Exprs.add(n, 4), n);
    is(symbolic(x, n, Exprs.add(n, 2), false), "R.Tensor((2, n), dtype=\"float32\")");
  }

  @Test
  void knowLessWhereBoundsAreNotKnown() {
    TupleType one = TupleType.of(new PrimType(DType.INT64));
    Tuple begin = Tuple.of(PrimValue.of(0));
    is(
        Call.of(Slices.STRIDED_SLICE, floats(4), begin, begin, of(one)),
        "R.Tensor(dtype=\"float32\", ndim=1)");
    is(
        Call.of(Slices.STRIDED_SLICE, floats(4), of(one), begin, begin),
        "R.Tensor(dtype=\"float32\", ndim=1)");
    is(
        Call.of(
            Slices.STRIDED_SLICE, floats(4), ShapeExpr.of(0), Tuple.of(scalar(DType.INT64)), begin),
        "R.Tensor(dtype=\"float32\", ndim=1)");
    is(slice(ofRank(2), 0, 1, 1), "R.Tensor(dtype=\"float32\", ndim=2)");
    is(slice(someFloats(), 0, 1, 1), "R.Tensor(dtype=\"float32\")");
  }

  @Test
  void refuseBoundsThatDoNotFit() {
    refused(slice(floats(4), 0, 1, 0), "strided_slice: a stride must not be 0");
    refused(
        Slices.stridedSlice(floats(4), List.of(0L), List.of(), List.of(1L)),
        "strided_slice: expected a number of begin for each of axes, but there are 0 and 1");
    refused(
        Slices.stridedSlice(floats(4), List.of(0L), List.of(1L), List.of(1L, 2L)),
        "strided_slice: expected a number of end for each of axes, but there are 2 and 1");
    refused(
        Slices.stridedSlice(floats(4), List.of(0L), List.of(1L), List.of(1L), List.of()),
        "strided_slice: expected a number of strides for each of axes, but there are 0 and 1");
    refused(
        Slices.stridedSlice(floats(4), List.of(1L), List.of(1L), List.of(1L)),
        "strided_slice: there is no axis 1 of 1 axis; expected one from -1 to 0");
    refused(
        Call.of(Slices.STRIDED_SLICE, floats(4), floats(1), ShapeExpr.of(0), ShapeExpr.of(0)),
        "strided_slice: the argument axes must be a tuple of integers, but is R.Tensor((1,),"
            + " dtype=\"float32\")");
  }

  @Test
  void sliceAsPythonDoes() {
    long seed = Long.getLong("relaxvm.seed", 20);
    Random random = new Random(seed);
    for (int round = 0; round < 60; round++) {
      int extent = random.nextInt(6);
      long begin = random.nextInt(-8, 9);
      long end = random.nextInt(-8, 9);
      long stride = random.nextBoolean() ? random.nextInt(1, 4) : -random.nextInt(1, 4);
      long[] indices = indices(extent, begin, end, stride);
      Tensor data = Tensor.of(LongStream.range(0, extent).toArray(), Shape.of(extent));
      for (RelaxVar x : List.of(ints(extent), ints(n))) {
        assertThat(Execution.text(slice(x, begin, end, stride), data))
            .as("seed %d: [%d:%d:%d] of %d", seed, begin, end, stride, extent)
            .isEqualTo("int64 [" + indices.length + "] " + LongStream.of(indices).boxed().toList());
      }
    }
  }

  /** The indices of a slice, by stepping from its begin and leaving out what is outside. */
  private static long[] indices(long extent, long begin, long end, long stride) {
    long from = begin < 0 ? begin + extent : begin;
    long to = end < 0 ? end + extent : end;
    long low = stride > 0 ? 0 : -1;
    long start = Math.min(Math.max(from, low), extent + low);
    return LongStream.iterate(start, index -> index + stride)
        .takeWhile(index -> stride > 0 ? index < Math.min(to, extent) : index > Math.max(to, -1))
        .toArray();
  }

  @Test
  void sliceAtSizesOfTheProgram() {
    RelaxVar x = ints(Exprs.add(n, 2));
    RelaxVar sized = floats(n);
    Tensor data = Tensor.of(new long[] {1, 2, 3, 4, 5}, Shape.of(5));
    Expr other = symbolic(x, n, Exprs.add(n, 2), true);
    Expr both = Tuple.of(sized, other);
    assertThat(Execution.text(both, Tensor.zeros(DType.FLOAT32, Shape.of(3)), data))
        .isEqualTo("[float32 [3] [0.0, 0.0, 0.0], int64 [2] [4, 5]]");
    assertThat(Execution.kernels(other)).containsExactly("strided_slice");
  }

  @Test
  void sliceAtIndicesThatTensorsHold() {
    Expr call = DynamicSlices.dynamicStridedSlice(ints(n, m), ints(2), ints(2), ints(2));
    is(call, "R.Tensor(dtype=\"int64\", ndim=2)");
    assertThat(
            Execution.text(
                call,
                Tensor.of(new long[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3)),
                Tensor.of(new long[] {0, -1}, Shape.of(2)),
                Tensor.of(new long[] {1, -9}, Shape.of(2)),
                Tensor.of(new long[] {1, -2}, Shape.of(2))))
        .isEqualTo("int64 [1, 2] [3, 1]");
    assertThat(Execution.kernels(call)).containsExactly("shape_func", "dynamic_strided_slice");
    assertThat(
            Execution.kernels(
                DynamicSlices.dynamicStridedSlice(ofRank(1), ints(1), ints(1), ints(1))))
        .isEmpty();
    refused(
        DynamicSlices.dynamicStridedSlice(floats(2, 2), ints(2), ints(3), ints(2)),
        "dynamic_strided_slice: the extents of end and the number of axes of x must be equal, but"
            + " are 3 and 2");
    refused(
        DynamicSlices.dynamicStridedSlice(floats(), ints(0), ints(0), ints(0)),
        "dynamic_strided_slice: the argument x must be a tensor with 1 axis or more, but is"
            + " R.Tensor((), dtype=\"float32\")");
  }

  @Test
  void putASliceIntoATensor() {
    Expr call =
        Slices.sliceScatter(
            ints(n), ints(2), PrimValue.of(1), PrimValue.of(ALL), PrimValue.of(2), 0);
    is(call, "R.Tensor((n,), dtype=\"int64\")");
    assertThat(
            Execution.text(
                call,
                Tensor.of(new long[] {1, 2, 3, 4}, Shape.of(4)),
                Tensor.of(new long[] {8, 9}, Shape.of(2))))
        .isEqualTo("int64 [4] [1, 8, 3, 9]");
    is(
        Slices.sliceScatter(
            ofRank(2), someFloats(), PrimValue.of(1), scalar(DType.INT64), PrimValue.of(2), 1),
        "R.Tensor(dtype=\"float32\", ndim=2)");
    refused(
        Slices.sliceScatter(ints(4), ints(2), PrimValue.of(0), PrimValue.of(3), PrimValue.of(1), 0),
        "slice_scatter: the extents of axis 0 of the slice and of src must be equal, but are 3 and"
            + " 2");
    refused(
        Slices.sliceScatter(
            ints(4), ints(2), PrimValue.of(0), PrimValue.of(3), PrimValue.of(-1), 0),
        "slice_scatter: the step must be a constant above 0, but is -1");
    refused(
        Slices.sliceScatter(
            ints(4), tensor(DType.INT8, 2), PrimValue.of(0), PrimValue.of(2), PrimValue.of(1), 0),
        "slice_scatter: expected one dtype, but input_tensor is int64 and src is int8; use astype");
  }
}
