package org.relaxvm.compiler.op.index;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Axes;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.op.typerule.ScalarArgs;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.SliceOps;

/** Slices at indices given by the program. Source: docs/spec/op-set.md, sections 2.5 and 3.4. */
public final class Slices {
  /**
   * The indices {@code begin}, {@code begin + stride}, ... before {@code end} along some axes.
   * Begins and ends that are negative count from the end, and are then brought into the tensor;
   * with {@code assume_inbound} they count as they are. Each of the arguments is a tuple of
   * integers or a shape.
   */
  public static final OpDef STRIDED_SLICE =
      OpDef.named("strided_slice")
          .args("x", "axes", "begin", "end")
          .optionalArgs("strides")
          .attrs(AttrSpec.of("assume_inbound", Kind.BOOL, false))
          .rule(Slices::type)
          .legalizer(Slices::legalize)
          .build();

  /** A tensor with a slice of it, along an axis, taken from another tensor. */
  public static final OpDef SLICE_SCATTER =
      OpDef.named("slice_scatter")
          .args("input_tensor", "src", "start", "end", "step")
          .attrs(AttrSpec.of("axis", Kind.INTEGER, 0L))
          .rule(Slices::scattered)
          .legalizer(Slices::scatter)
          .build();

  private Slices() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(STRIDED_SLICE, SLICE_SCATTER);
  }

  /**
   * A slice along some axes.
   *
   * @param begin a number for each axis
   * @param end likewise; {@code Long.MAX_VALUE} for all that there is
   */
  public static Call stridedSlice(Expr x, List<Long> axes, List<Long> begin, List<Long> end) {
    return Call.of(STRIDED_SLICE, x, tuple(axes), tuple(begin), tuple(end));
  }

  /** A slice along some axes, with strides, which are not 0. */
  public static Call stridedSlice(
      Expr x, List<Long> axes, List<Long> begin, List<Long> end, List<Long> strides) {
    return Call.of(STRIDED_SLICE, x, tuple(axes), tuple(begin), tuple(end), tuple(strides));
  }

  /** A slice along some axes; the indices are tuples of integers, perhaps symbolic, or shapes. */
  public static Call stridedSlice(
      Expr x, Expr axes, Expr begin, Expr end, Expr strides, boolean assumeInbound) {
    return Call.of(
        STRIDED_SLICE,
        List.of(x, axes, begin, end, strides),
        Attrs.of("assume_inbound", assumeInbound));
  }

  /** A tensor with every {@code step}-th element from start to end along an axis from another. */
  public static Call sliceScatter(Expr x, Expr source, Expr start, Expr end, Expr step, int axis) {
    return Call.of(SLICE_SCATTER, List.of(x, source, start, end, step), Attrs.of("axis", axis));
  }

  private static Tuple tuple(List<Long> values) {
    return new Tuple(values.stream().<Expr>map(PrimValue::of).toList());
  }

  private static Optional<List<Long>> constants(Optional<List<PrimExpr>> values) {
    return values
        .filter(known -> known.stream().allMatch(IntImm.class::isInstance))
        .map(known -> known.stream().map(value -> ((IntImm) value).value()).toList());
  }

  private static Optional<List<PrimExpr>> strides(OpCall call, int count) {
    return call.size() > 4
        ? ScalarArgs.integers(call, 4)
        : Optional.of(LongStream.range(0, count).<PrimExpr>mapToObj(i -> IntImm.of(1)).toList());
  }

  private static Type type(OpCall call) {
    TensorType x = call.tensor(0);
    Optional<List<Long>> axes = constants(ScalarArgs.integers(call, 1));
    Optional<List<PrimExpr>> begin = ScalarArgs.integers(call, 2);
    Optional<List<PrimExpr>> end = ScalarArgs.integers(call, 3);
    int count = axes.map(List::size).orElse(0);
    Optional<List<PrimExpr>> strides = strides(call, count);
    if (axes.isEmpty()) {
      return x.withRank(x.ndim());
    }
    requireCount(call, 2, begin, count);
    requireCount(call, 3, end, count);
    requireCount(call, 4, strides, count);
    strides.ifPresent(known -> known.forEach(stride -> requireNotZero(call, stride)));
    Optional<List<Long>> steps = constants(strides);
    if (!x.hasRank()) {
      return x.withRank(x.ndim());
    }
    List<Integer> sliced = Axes.normalize(call, axes.get(), x.ndim());
    if (x.dims().isEmpty() || begin.isEmpty() || end.isEmpty() || steps.isEmpty()) {
      return x.withRank(x.ndim());
    }
    boolean inbound = call.attrs().bool("assume_inbound").orElseThrow();
    List<PrimExpr> dims = x.dims().get();
    for (int i = 0; i < count; i++) {
      PrimExpr extent = dims.get(sliced.get(i));
      SliceBounds bounds = new SliceBounds(call.analyzer(), steps.get().get(i));
      PrimExpr from = begin.get().get(i);
      PrimExpr to = end.get().get(i);
      dims =
          AxisLists.with(
              dims,
              sliced.get(i),
              inbound ? bounds.inboundLength(from, to) : bounds.length(from, to, extent));
    }
    return x.withDims(dims);
  }

  private static void requireCount(
      OpCall call, int index, Optional<List<PrimExpr>> values, int count) {
    if (values.isPresent() && values.get().size() != count) {
      throw call.error(
          "expected a number of "
              + call.op().argName(index)
              + " for each of axes, but there are "
              + values.get().size()
              + " and "
              + count);
    }
  }

  private static void requireNotZero(OpCall call, PrimExpr stride) {
    if (Extents.isConstant(stride, 0)) {
      throw call.error("a stride must not be 0");
    }
  }

  private static Expr legalize(OpCall call, KernelCalls kernels) {
    List<Long> axes = constants(ScalarArgs.integers(call, 1)).orElseThrow();
    List<PrimExpr> begin = ScalarArgs.integers(call, 2).orElseThrow();
    List<PrimExpr> end = ScalarArgs.integers(call, 3).orElseThrow();
    List<Long> strides = constants(strides(call, axes.size())).orElseThrow();
    return kernels.call(
        "strided_slice",
        List.of(call.arg(0)),
        call.call().type(),
        KernelBody.one(
            (k, in) ->
                SliceOps.stridedSlice(
                    k,
                    "T_strided_slice",
                    in.tensor(0),
                    Axes.normalize(call, axes, call.tensor(0).ndim()),
                    begin.stream().map(in::of).toList(),
                    end.stream().map(in::of).toList(),
                    strides,
                    call.attrs().bool("assume_inbound").orElseThrow())));
  }

  private static Type scattered(OpCall call) {
    List<Operand> both = Operand.all(call, 0, 1);
    TensorType x = Ranks.atLeast(call, 0, 1);
    TensorType source = call.tensor(1);
    Optional<PrimExpr> start = ScalarArgs.integer(call, 2);
    Optional<PrimExpr> end = ScalarArgs.integer(call, 3);
    Optional<PrimExpr> step = ScalarArgs.integer(call, 4);
    if (step.isPresent() && !(step.get() instanceof IntImm known && known.value() > 0)) {
      throw call.error("the step must be a constant above 0, but is " + PrimText.print(step.get()));
    }
    Ranks.requireSame(call, both.get(0), both.get(1));
    TensorType result =
        x.withDType(ElementTypes.same(call, both)).withVDevice(CommonDevice.same(call, both));
    if (!x.hasRank()) {
      return result;
    }
    int along = axis(call);
    if (x.dims().isPresent() && source.dims().isPresent()) {
      for (int axis = 0; axis < x.ndim(); axis++) {
        PrimExpr extent = x.dims().get().get(axis);
        Optional<PrimExpr> needed =
            axis != along
                ? Optional.of(extent)
                : start.isPresent() && end.isPresent() && step.isPresent()
                    ? Optional.of(
                        new SliceBounds(call.analyzer(), ((IntImm) step.get()).value())
                            .length(start.get(), end.get(), extent))
                    : Optional.empty();
        String what = "axis " + axis + " of the slice and of src";
        PrimExpr has = source.dims().get().get(axis);
        needed.ifPresent(known -> Extents.requireSame(call, known, has, what));
      }
    }
    return result;
  }

  private static int axis(OpCall call) {
    return Axes.normalize(call, call.attrs().integer("axis").orElseThrow(), call.tensor(0).ndim());
  }

  private static Expr scatter(OpCall call, KernelCalls kernels) {
    Optional<PrimExpr> step = ScalarArgs.integer(call, 4);
    if (step.isEmpty()) {
      return call.call();
    }
    return kernels.call(
        "slice_scatter",
        List.of(call.arg(0), call.arg(1), call.arg(2), call.arg(3)),
        call.call().type(),
        KernelBody.one(
            (k, in) ->
                SliceOps.sliceScatter(
                    k,
                    "T_slice_scatter",
                    in.tensor(0),
                    in.tensor(1),
                    in.scalar(2),
                    in.scalar(3),
                    ((IntImm) step.get()).value(),
                    axis(call))));
  }
}
