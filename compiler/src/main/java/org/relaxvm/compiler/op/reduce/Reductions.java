package org.relaxvm.compiler.op.reduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.KernelInputs;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.TypeRule;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.OrderingOps;
import org.relaxvm.tir.op.ReductionOps;
import org.relaxvm.tir.op.ShapeOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Reductions of axes; where none are given, of all. Reduced axes are dropped, or stay with extent 1
 * when {@code keepdims}. float16 and bfloat16 accumulate in float32; integers wrap around.
 *
 * <p>Source: docs/spec/op-set.md, section 2.6.
 */
public final class Reductions {
  /** Sums of numbers; 0 of nothing. */
  public static final OpDef SUM = ofNumbers("sum", ReductionOps::sum);

  /** The largest elements, NaN when any is; of nothing the lowest value of the dtype. */
  public static final OpDef MAX = ofNumbers("max", ReductionOps::max);

  /** The smallest elements, NaN when any is; of nothing the highest value of the dtype. */
  public static final OpDef MIN = ofNumbers("min", ReductionOps::min);

  /** Products of numbers; 1 of nothing. */
  public static final OpDef PROD = ofNumbers("prod", ReductionOps::prod);

  /** Arithmetic means of floats; NaN of nothing. */
  public static final OpDef MEAN = ofFloats("mean", ReductionOps::mean);

  /** Means of {@code (x - mean)^2} of floats. */
  public static final OpDef VARIANCE = ofFloats("variance", ReductionOps::variance);

  /** Square roots of variances of floats. */
  public static final OpDef STD = ofFloats("std", ReductionOps::std);

  /**
   * The middle elements of numbers, of an even number the smaller one; along one axis a tuple with
   * their indices, int64.
   */
  public static final OpDef MEDIAN =
      OpDef.named("median")
          .args("x")
          .with(Reductions::attrs)
          .rule(Reductions::medianType)
          .legalizer(Reductions::medianKernel)
          .build();

  /** The index, int64, of the largest element of numbers: the first one of equals. */
  public static final OpDef ARGMAX = index("argmax", ReductionOps::argmax);

  /** The index, int64, of the smallest element of numbers: the first one of equals. */
  public static final OpDef ARGMIN = index("argmin", ReductionOps::argmin);

  private Reductions() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(SUM, MAX, MIN, PROD, MEAN, VARIANCE, STD, MEDIAN, ARGMAX, ARGMIN);
  }

  private interface ReductionKernel {
    TensorExpr reduce(
        KernelBuilder k, String name, TensorExpr x, @Nullable List<Integer> axes, boolean keepDims);
  }

  private interface IndexKernel {
    TensorExpr reduce(
        KernelBuilder k,
        String name,
        TensorExpr x,
        @Nullable Integer axis,
        boolean keepDims,
        DType dtype);
  }

  private static OpDef.Builder attrs(OpDef.Builder builder) {
    return builder.attrs(
        AttrSpec.optional("axis", Kind.INTEGERS), AttrSpec.of("keepdims", Kind.BOOL, false));
  }

  private static OpDef ofNumbers(String name, ReductionKernel kernel) {
    return reduction(
        name,
        kernel,
        call -> {
          ElementTypes.numbers(call, 0);
          return ReductionRule.reduced(call);
        });
  }

  private static OpDef ofFloats(String name, ReductionKernel kernel) {
    return reduction(
        name,
        kernel,
        call -> {
          ElementTypes.floats(call, 0);
          return ReductionRule.reduced(call);
        });
  }

  private static OpDef reduction(String name, ReductionKernel kernel, TypeRule rule) {
    return OpDef.named(name)
        .args("x")
        .with(Reductions::attrs)
        .rule(rule)
        .legalizer(
            (call, kernels) ->
                kernels.call(
                    name,
                    call,
                    KernelBody.one(
                        (k, inputs) ->
                            kernel.reduce(
                                k,
                                name,
                                inputs.tensor(0),
                                ReductionRule.axes(call).orElse(null),
                                ReductionRule.keepDims(call)))))
        .build();
  }

  private static OpDef index(String name, IndexKernel kernel) {
    return OpDef.named(name)
        .args("x")
        .attrs(AttrSpec.optional("axis", Kind.INTEGER), AttrSpec.of("keepdims", Kind.BOOL, false))
        .rule(
            call -> {
              ElementTypes.numbers(call, 0);
              return ReductionRule.reduced(call).withDType(Optional.of(DType.INT64));
            })
        .legalizer(
            (call, kernels) ->
                kernels.call(
                    name,
                    call,
                    KernelBody.one(
                        (k, inputs) ->
                            kernel.reduce(
                                k,
                                name,
                                inputs.tensor(0),
                                ReductionRule.axes(call).map(List::getFirst).orElse(null),
                                ReductionRule.keepDims(call),
                                DType.INT64))))
        .build();
  }

  private static Type medianType(OpCall call) {
    ElementTypes.numbers(call, 0);
    TensorType values = ReductionRule.reduced(call);
    boolean hasIndices = call.attrs().integers("axis").map(List::size).orElse(0) == 1;
    return hasIndices ? TupleType.of(values, values.withDType(Optional.of(DType.INT64))) : values;
  }

  private static Expr medianKernel(OpCall call, KernelCalls kernels) {
    List<Integer> axes =
        ReductionRule.axes(call)
            .orElseGet(() -> IntStream.range(0, call.tensor(0).ndim()).boxed().toList());
    if (call.call().type() instanceof TupleType) {
      return kernels.call(
          "median",
          call,
          (k, inputs) ->
              OrderingOps.median(
                  k, "median", inputs.tensor(0), axes.getFirst(), ReductionRule.keepDims(call)));
    }
    return kernels.call(
        "median", call, KernelBody.one((k, inputs) -> medianOfAxes(k, inputs, axes)));
  }

  /** The reduced axes become one, the last. */
  private static TensorExpr medianOfAxes(KernelBuilder k, KernelInputs inputs, List<Integer> axes) {
    TensorExpr x = inputs.tensor(0);
    List<Integer> order =
        new ArrayList<>(
            IntStream.range(0, x.shape().size()).filter(i -> !axes.contains(i)).boxed().toList());
    List<PrimExpr> kept = order.stream().map(x.shape()::get).toList();
    order.addAll(axes);
    TensorExpr moved = ShapeOps.permuteDims(k, "median_moved", x, order);
    List<PrimExpr> lines = new ArrayList<>(kept);
    lines.add(axes.stream().map(x.shape()::get).reduce(Exprs::mul).orElse(IntImm.of(1)));
    TensorExpr flat = ShapeOps.reshape(k, "median_lines", moved, lines);
    TensorExpr middle = OrderingOps.median(k, "median_values", flat, kept.size(), false).getFirst();
    return ShapeOps.reshape(k, "median", middle, inputs.resultDims(0));
  }

  /** Sums along axes. */
  public static Call sum(Expr x, List<Integer> axes, boolean keepDims) {
    return call(SUM, x, axes, keepDims);
  }

  /** The sum of all elements: no axes. */
  public static Call sum(Expr x) {
    return callAll(SUM, x);
  }

  /** The largest elements along axes. */
  public static Call max(Expr x, List<Integer> axes, boolean keepDims) {
    return call(MAX, x, axes, keepDims);
  }

  /** The largest of all elements: no axes. */
  public static Call max(Expr x) {
    return callAll(MAX, x);
  }

  /** The smallest elements along axes. */
  public static Call min(Expr x, List<Integer> axes, boolean keepDims) {
    return call(MIN, x, axes, keepDims);
  }

  /** The smallest of all elements: no axes. */
  public static Call min(Expr x) {
    return callAll(MIN, x);
  }

  /** Products along axes. */
  public static Call prod(Expr x, List<Integer> axes, boolean keepDims) {
    return call(PROD, x, axes, keepDims);
  }

  /** The product of all elements: no axes. */
  public static Call prod(Expr x) {
    return callAll(PROD, x);
  }

  /** Means along axes. */
  public static Call mean(Expr x, List<Integer> axes, boolean keepDims) {
    return call(MEAN, x, axes, keepDims);
  }

  /** The mean of all elements: no axes. */
  public static Call mean(Expr x) {
    return callAll(MEAN, x);
  }

  /** Variances along axes. */
  public static Call variance(Expr x, List<Integer> axes, boolean keepDims) {
    return call(VARIANCE, x, axes, keepDims);
  }

  /** Standard deviations along axes. */
  public static Call std(Expr x, List<Integer> axes, boolean keepDims) {
    return call(STD, x, axes, keepDims);
  }

  /** Medians along axes; along one axis a tuple of them and their indices. */
  public static Call median(Expr x, List<Integer> axes, boolean keepDims) {
    return call(MEDIAN, x, axes, keepDims);
  }

  /** The index of the first largest element along an axis. */
  public static Call argmax(Expr x, int axis, boolean keepDims) {
    return Call.of(ARGMAX, List.of(x), Attrs.of("axis", axis).with("keepdims", keepDims));
  }

  /** The index of the first smallest element along an axis. */
  public static Call argmin(Expr x, int axis, boolean keepDims) {
    return Call.of(ARGMIN, List.of(x), Attrs.of("axis", axis).with("keepdims", keepDims));
  }

  private static Call call(OpDef op, Expr x, List<Integer> axes, boolean keepDims) {
    return Call.of(op, List.of(x), Attrs.of("axis", axes).with("keepdims", keepDims));
  }

  private static Call callAll(OpDef op, Expr x) {
    return Call.of(op, List.of(x), Attrs.of("keepdims", false));
  }
}
