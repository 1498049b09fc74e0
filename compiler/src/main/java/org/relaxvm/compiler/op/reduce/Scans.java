package org.relaxvm.compiler.op.reduce;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Axes;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.op.typerule.ResultDTypes;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.op.ScanOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Sums and products of all elements up to each one, and draws from probabilities.
 *
 * <p>These have kernels for every target, so the passes that dispatch scans and sampling only have
 * to choose where a library does better. Source: docs/spec/op-set.md, section 2.6.
 */
public final class Scans {
  /** Sums up to each element along an axis; where none is given, of all elements in one row. */
  public static final OpDef CUMSUM = scan("cumsum", ScanOps::cumsum);

  /** Products up to each element, otherwise as sums. */
  public static final OpDef CUMPROD = scan("cumprod", ScanOps::cumprod);

  /** {@code (prob [b, v], uniform_sample [n, 1], sample_indices [n, 1])} to {@code [n, 1]}. */
  public static final OpDef MULTINOMIAL_FROM_UNIFORM =
      OpDef.named("multinomial_from_uniform")
          .args("prob", "uniform_sample", "sample_indices")
          .attrs(AttrSpec.of("dtype", Kind.DTYPE, DType.INT64))
          .rule(Scans::multinomialType)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "multinomial_from_uniform",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              ScanOps.multinomialFromUniform(
                                  k,
                                  "multinomial_from_uniform",
                                  inputs.tensor(0),
                                  inputs.tensor(1),
                                  inputs.tensor(2),
                                  Orderings.indices(call)))))
          .build();

  private interface ScanKernel {
    TensorExpr scan(
        KernelBuilder k,
        String name,
        TensorExpr x,
        @Nullable Integer axis,
        DType dtype,
        boolean exclusive);
  }

  private Scans() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(CUMSUM, CUMPROD, MULTINOMIAL_FROM_UNIFORM);
  }

  private static OpDef scan(String name, ScanKernel kernel) {
    return OpDef.named(name)
        .args("data")
        .attrs(
            AttrSpec.optional("axis", Kind.INTEGER),
            AttrSpec.optional("dtype", Kind.DTYPE),
            AttrSpec.of("exclusive", Kind.BOOL, false))
        .rule(Scans::scanType)
        .legalizer(
            (call, kernels) ->
                kernels.call(
                    name,
                    call,
                    KernelBody.one(
                        (k, inputs) ->
                            kernel.scan(
                                k,
                                name,
                                inputs.tensor(0),
                                axis(call).orElse(null),
                                inputs.resultType(0).dtype().orElseThrow(),
                                call.attrs().bool("exclusive").orElseThrow()))))
        .build();
  }

  private static Optional<Integer> axis(OpCall call) {
    return call.attrs()
        .integer("axis")
        .map(axis -> Axes.normalize(call, axis, call.tensor(0).ndim()));
  }

  private static Type scanType(OpCall call) {
    TensorType x = call.tensor(0);
    Optional<DType> given = ResultDTypes.given(call, "dtype");
    if (given.isPresent()) {
      ResultDTypes.requireNumber(call, "dtype", given.get());
    } else {
      ElementTypes.numbers(call, 0);
    }
    TensorType result = given.isPresent() ? x.withDType(given) : x;
    if (!call.attrs().has("axis")) {
      return x.dims()
          .map(dims -> result.withDims(List.of(Extents.product(call, dims))))
          .orElseGet(() -> result.withRank(1));
    }
    if (x.hasRank()) {
      Axes.normalize(call, call.attrs().integer("axis").orElseThrow(), x.ndim());
    }
    return result;
  }

  private static Type multinomialType(OpCall call) {
    ElementTypes.floats(call, 0);
    ElementTypes.floats(call, 1);
    ElementTypes.integers(call, 2);
    List<Operand> operands = Operand.all(call, 0, 1, 2);
    ElementTypes.same(call, operands.subList(0, 2));
    for (int index = 0; index < 3; index++) {
      Ranks.require(call, index, 2);
    }
    TensorType uniform = call.tensor(1);
    TensorType rows = call.tensor(2);
    if (uniform.dims().isPresent() && rows.dims().isPresent()) {
      Extents.requireSame(
          call,
          uniform.dims().get().get(0),
          rows.dims().get().get(0),
          "axis 0 of uniform_sample and sample_indices");
    }
    for (int index = 1; index < 3; index++) {
      requireColumn(call, index);
    }
    return uniform
        .dims()
        .map(dims -> uniform.withDims(List.of(dims.get(0), IntImm.of(1))))
        .orElseGet(() -> uniform.withRank(2))
        .withDType(Optional.of(Orderings.indices(call)))
        .withVDevice(CommonDevice.same(call, operands));
  }

  private static void requireColumn(OpCall call, int index) {
    call.tensor(index)
        .dims()
        .ifPresent(
            dims -> {
              if (Extents.differ(call, dims.get(1), IntImm.of(1))) {
                throw call.wrong(index, "a tensor of one column");
              }
            });
  }

  /** Sums up to each element along an axis. */
  public static Call cumsum(Expr data, int axis) {
    return cumsum(data, axis, false);
  }

  /** Sums up to each element along an axis, or up to the one before it. */
  public static Call cumsum(Expr data, int axis, boolean exclusive) {
    return Call.of(CUMSUM, List.of(data), Attrs.of("axis", axis).with("exclusive", exclusive));
  }

  /** Products up to each element along an axis. */
  public static Call cumprod(Expr data, int axis) {
    return cumprod(data, axis, false);
  }

  /** Products up to each element along an axis, or up to the one before it. */
  public static Call cumprod(Expr data, int axis, boolean exclusive) {
    return Call.of(CUMPROD, List.of(data), Attrs.of("axis", axis).with("exclusive", exclusive));
  }

  /**
   * Draws from rows of probabilities: the first index at which the sum of the row so far is above a
   * number, the last index where there is none.
   *
   * @param prob floats {@code [b, v]}
   * @param uniform floats {@code [n, 1]} from 0 to 1
   * @param rows integers {@code [n, 1]}: the row to draw from
   * @param dtype int32 or int64
   */
  public static Call multinomialFromUniform(Expr prob, Expr uniform, Expr rows, DType dtype) {
    return Call.of(
        MULTINOMIAL_FROM_UNIFORM, List.of(prob, uniform, rows), Attrs.of("dtype", dtype));
  }
}
