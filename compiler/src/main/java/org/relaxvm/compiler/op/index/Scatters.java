package org.relaxvm.compiler.op.index;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.Tuple;
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
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.ScatterOps;
import org.relaxvm.tir.op.ScatterOps.Reduction;

/**
 * Tensors with updates at indices given by tensors; negative indices count from the end. The
 * reduction says what becomes of an element and an update: {@code update}, {@code add}, {@code
 * mul}, {@code mean}, {@code max} or {@code min}. Source: docs/spec/op-set.md, section 2.5.
 */
public final class Scatters {
  /** Each update goes to its own index, but for an axis, along which the index counts. */
  public static final OpDef SCATTER_ELEMENTS =
      OpDef.named("scatter_elements")
          .args("data", "indices", "updates")
          .attrs(
              AttrSpec.of("axis", Kind.INTEGER, 0L), AttrSpec.of("reduction", Kind.TEXT, "update"))
          .rule(Scatters::elements)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "scatter_elements",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              ScatterOps.scatterElements(
                                  k,
                                  "scatter_elements",
                                  in.tensor(0),
                                  in.tensor(1),
                                  in.tensor(2),
                                  axis(call),
                                  reduction(call)))))
          .build();

  /**
   * Slices go where lines of indices name: data {@code [n1, ..., nl, rest...]}, indices {@code
   * [m..., l]}, updates {@code [m..., rest...]}.
   */
  public static final OpDef SCATTER_ND =
      OpDef.named("scatter_nd")
          .args("data", "indices", "updates")
          .attrs(AttrSpec.of("reduction", Kind.TEXT, "update"))
          .rule(Scatters::nd)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "scatter_nd",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              ScatterOps.scatterNd(
                                  k,
                                  "scatter_nd",
                                  in.tensor(0),
                                  in.tensor(1),
                                  in.tensor(2),
                                  reduction(call)))))
          .build();

  /**
   * Values go where the first axes are indexed by tensors that are broadcast against each other,
   * and are broadcast to what there is to fill.
   */
  public static final OpDef INDEX_PUT =
      OpDef.named("index_put")
          .args("data", "indices", "values")
          .attrs(AttrSpec.of("accumulate", Kind.BOOL, false))
          .rule(Scatters::put)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "index_put",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              ScatterOps.indexPut(
                                  k,
                                  "index_put",
                                  in.tensor(0),
                                  in.tensors(1),
                                  in.tensor(2),
                                  call.attrs().bool("accumulate").orElseThrow()))))
          .build();

  private Scatters() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(SCATTER_ELEMENTS, SCATTER_ND, INDEX_PUT);
  }

  /** Updates at their own indices, but for an axis, along which the index counts. */
  public static Call scatterElements(
      Expr data, Expr indices, Expr updates, int axis, Reduction reduction) {
    return Call.of(
        SCATTER_ELEMENTS,
        List.of(data, indices, updates),
        Attrs.of("axis", axis).with("reduction", text(reduction)));
  }

  /** Slices where lines of indices name. */
  public static Call scatterNd(Expr data, Expr indices, Expr updates, Reduction reduction) {
    return Call.of(
        SCATTER_ND, List.of(data, indices, updates), Attrs.of("reduction", text(reduction)));
  }

  /** Values where the first axes are indexed by tensors; they are added or stored. */
  public static Call indexPut(
      Expr data, List<? extends Expr> indices, Expr values, boolean accumulate) {
    return Call.of(
        INDEX_PUT,
        List.of(data, new Tuple(List.copyOf(indices)), values),
        Attrs.of("accumulate", accumulate));
  }

  private static String text(Reduction reduction) {
    return reduction.name().toLowerCase(Locale.ROOT);
  }

  private static Reduction reduction(OpCall call) {
    String given = call.attrs().text("reduction").orElseThrow();
    for (Reduction reduction : Reduction.values()) {
      if (text(reduction).equals(given)) {
        return reduction;
      }
    }
    throw call.error(
        "there is no reduction " + given + "; expected update, add, mul, mean, max or min");
  }

  private static int axis(OpCall call) {
    return Axes.normalize(call, call.attrs().integer("axis").orElseThrow(), call.tensor(0).ndim());
  }

  /** The type of the result: that of the data, whose dtype the updates have. */
  private static TensorType result(OpCall call, boolean combines) {
    TensorType data = combines ? ElementTypes.numbers(call, 0) : call.tensor(0);
    return data.withDType(ElementTypes.same(call, Operand.all(call, 0, 2)));
  }

  private static Type elements(OpCall call) {
    TensorType result = result(call, reduction(call) != Reduction.UPDATE);
    TensorType indices = ElementTypes.integers(call, 1);
    List<Operand> all = Operand.all(call, 0, 1, 2);
    Ranks.requireSame(call, all.get(0), all.get(1));
    Ranks.requireSame(call, all.get(1), all.get(2));
    Ranks.requireSame(call, all.get(0), all.get(2));
    if (result.hasRank()) {
      axis(call);
    }
    Optional<List<PrimExpr>> updates = call.tensor(2).dims();
    if (indices.dims().isPresent() && updates.isPresent()) {
      for (int axis = 0; axis < updates.get().size(); axis++) {
        Extents.requireSame(
            call,
            indices.dims().get().get(axis),
            updates.get().get(axis),
            "axis " + axis + " of indices and updates");
      }
    }
    return result.withVDevice(CommonDevice.same(call, all));
  }

  private static Type nd(OpCall call) {
    TensorType result = result(call, reduction(call) != Reduction.UPDATE);
    ElementTypes.integers(call, 1);
    TensorType indices = Ranks.atLeast(call, 1, 1);
    TensorType updates = call.tensor(2);
    TensorType sameDevice = result.withVDevice(CommonDevice.same(call, Operand.all(call, 0, 1, 2)));
    if (indices.dims().isEmpty() || !result.hasRank()) {
      return sameDevice;
    }
    List<PrimExpr> lengths = indices.dims().get();
    if (!(lengths.getLast() instanceof IntImm length)) {
      throw call.error(
          "the last extent of indices must be a constant, but is "
              + PrimText.print(lengths.getLast()));
    }
    if (length.value() > result.ndim()) {
      throw call.error(
          "indices of length "
              + length.value()
              + " do not fit data with "
              + Count.axes(result.ndim()));
    }
    int outer = lengths.size() - 1;
    int taken = Math.clamp(length.value(), 0, 1 << 20);
    Ranks.require(call, 2, outer + result.ndim() - taken);
    if (updates.dims().isPresent()) {
      for (int axis = 0; axis < updates.ndim(); axis++) {
        int own = axis;
        String source =
            axis < outer
                ? "axis " + axis + " of indices"
                : "axis " + (axis - outer + taken) + " of data";
        Optional<PrimExpr> needed =
            axis < outer
                ? Optional.of(lengths.get(axis))
                : call.tensor(0).dims().map(dims -> dims.get(own - outer + taken));
        needed.ifPresent(
            extent ->
                Extents.requireSame(
                    call,
                    extent,
                    updates.dims().get().get(own),
                    source + " and of axis " + own + " of updates"));
      }
    }
    return sameDevice;
  }

  private static Type put(OpCall call) {
    boolean accumulates = call.attrs().bool("accumulate").orElseThrow();
    TensorType result = result(call, accumulates);
    TensorType indexType = Gathers.indices(call, 1, result);
    TensorType values = call.tensor(2);
    int count = call.tensors(1).size();
    if (result.hasRank() && indexType.hasRank() && values.hasRank()) {
      int ndim = indexType.ndim() + result.ndim() - count;
      if (values.ndim() > ndim) {
        throw call.error(
            "values has "
                + Count.axes(values.ndim())
                + ", but there are only "
                + ndim
                + " to fill");
      }
    }
    return result.withVDevice(
        CommonDevice.same(call, Operand.all(call, 0, 2)).or(indexType::vdevice));
  }
}
