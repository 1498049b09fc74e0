package org.relaxvm.compiler.op.reduce;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Axes;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.OrderingOps;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Elements along an axis in order. NaN is larger than all numbers; of equal elements the one with
 * the smaller index comes first, ascending or descending.
 *
 * <p>These have kernels for every target, so the passes that dispatch sorting only have to choose
 * where a library does better. Source: docs/spec/op-set.md, section 2.6.
 */
public final class Orderings {
  /** The elements in order. */
  public static final OpDef SORT =
      OpDef.named("sort")
          .args("data")
          .attrs(AttrSpec.of("axis", Kind.INTEGER, -1), AttrSpec.of("descending", Kind.BOOL, false))
          .rule(Orderings::ordered)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "sort",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              OrderingOps.sort(
                                  k, "sort", inputs.tensor(0), axis(call), descending(call)))))
          .build();

  /** The indices, int32 or int64, of the elements in order. */
  public static final OpDef ARGSORT =
      OpDef.named("argsort")
          .args("data")
          .attrs(
              AttrSpec.of("axis", Kind.INTEGER, -1),
              AttrSpec.of("descending", Kind.BOOL, false),
              AttrSpec.of("dtype", Kind.DTYPE, DType.INT32))
          .rule(call -> ordered(call).withDType(Optional.of(indices(call))))
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "argsort",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              OrderingOps.argsort(
                                  k,
                                  "argsort",
                                  inputs.tensor(0),
                                  axis(call),
                                  descending(call),
                                  indices(call)))))
          .build();

  /**
   * The foremost elements and their indices, or one of both. Of a symbolic extent there must be
   * {@code k} elements when the program runs.
   */
  public static final OpDef TOPK =
      OpDef.named("topk")
          .args("data")
          .attrs(
              AttrSpec.of("k", Kind.INTEGER, 1),
              AttrSpec.of("axis", Kind.INTEGER, -1),
              AttrSpec.of("ret_type", Kind.TEXT, "both"),
              AttrSpec.of("largest", Kind.BOOL, true),
              AttrSpec.of("dtype", Kind.DTYPE, DType.INT32))
          .rule(Orderings::topkType)
          .legalizer(Orderings::topkKernel)
          .build();

  private enum Returned {
    BOTH,
    VALUES,
    INDICES
  }

  private Orderings() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(SORT, ARGSORT, TOPK);
  }

  private static int axis(OpCall call) {
    return Axes.normalize(call, call.attrs().integer("axis").orElseThrow(), call.tensor(0).ndim());
  }

  private static boolean descending(OpCall call) {
    return call.attrs().bool("descending").orElseThrow();
  }

  /** The dtype of indices. */
  static DType indices(OpCall call) {
    DType dtype = call.attrs().dtype("dtype").orElseThrow();
    if (!dtype.equals(DType.INT32) && !dtype.equals(DType.INT64)) {
      throw call.typeError("dtype must be int32 or int64, but is " + dtype);
    }
    return dtype;
  }

  private static TensorType ordered(OpCall call) {
    TensorType x = ElementTypes.numbers(call, 0);
    if (x.hasRank()) {
      axis(call);
    }
    return x;
  }

  private static Returned returned(OpCall call) {
    String text = call.attrs().text("ret_type").orElseThrow();
    return switch (text) {
      case "both" -> Returned.BOTH;
      case "values" -> Returned.VALUES;
      case "indices" -> Returned.INDICES;
      default ->
          throw call.error(
              "ret_type must be \"both\", \"values\" or \"indices\", but is \"" + text + "\"");
    };
  }

  private static Type topkType(OpCall call) {
    TensorType x = ordered(call);
    TensorType values = x.withRank(x.ndim());
    if (x.dims().isPresent()) {
      List<PrimExpr> dims = x.dims().get();
      values = x.withDims(AxisLists.with(dims, axis(call), count(call, dims.get(axis(call)))));
    }
    TensorType indices = values.withDType(Optional.of(indices(call)));
    return switch (returned(call)) {
      case BOTH -> TupleType.of(values, indices);
      case VALUES -> values;
      case INDICES -> indices;
    };
  }

  /** How many elements there are of an extent: all of them where {@code k} asks for none. */
  private static PrimExpr count(OpCall call, PrimExpr extent) {
    long k = call.attrs().integer("k").orElseThrow();
    boolean all = k <= 0 || (extent instanceof IntImm known && known.value() <= k);
    return all ? extent : IntImm.of(k);
  }

  private static Expr topkKernel(OpCall call, KernelCalls kernels) {
    return kernels.call(
        "topk",
        call,
        (k, inputs) -> {
          TensorExpr x = inputs.tensor(0);
          int axis = axis(call);
          boolean largest = call.attrs().bool("largest").orElseThrow();
          PrimExpr count = count(call, x.shape().get(axis));
          List<TensorExpr> both =
              OrderingOps.topk(k, "topk", x, count, axis, largest, indices(call));
          return switch (returned(call)) {
            case BOTH -> both;
            case VALUES -> List.of(both.get(0));
            case INDICES -> List.of(both.get(1));
          };
        });
  }

  /** The elements along an axis in order. */
  public static Call sort(Expr data, int axis, boolean descending) {
    return Call.of(SORT, List.of(data), Attrs.of("axis", axis).with("descending", descending));
  }

  /**
   * The indices along an axis of the elements in order.
   *
   * @param dtype int32 or int64
   */
  public static Call argsort(Expr data, int axis, boolean descending, DType dtype) {
    return Call.of(
        ARGSORT,
        List.of(data),
        Attrs.of("axis", axis).with("descending", descending).with("dtype", dtype));
  }

  /**
   * A tuple of the largest, or smallest, elements along an axis and their indices.
   *
   * @param k how many; all of them when it is not positive
   * @param dtype of the indices: int32 or int64
   */
  public static Call topk(Expr data, int k, int axis, boolean largest, DType dtype) {
    return Call.of(
        TOPK,
        List.of(data),
        Attrs.of("k", k)
            .with("axis", axis)
            .with("ret_type", "both")
            .with("largest", largest)
            .with("dtype", dtype));
  }
}
