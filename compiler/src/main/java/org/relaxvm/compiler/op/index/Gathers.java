package org.relaxvm.compiler.op.index;

import java.util.ArrayList;
import java.util.List;
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
import org.relaxvm.compiler.op.typerule.Broadcast;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.IndexingOps;

/**
 * Elements at indices given by tensors; negative ones count from the end. Source:
 * docs/spec/op-set.md, section 2.5.
 */
public final class Gathers {
  /** No tensor has as many axes; larger numbers are errors all the same. */
  private static final int MOST_AXES = 1 << 20;

  /** The element at the same index, but for an axis, along which the index counts. */
  public static final OpDef GATHER_ELEMENTS =
      OpDef.named("gather_elements")
          .args("data", "indices")
          .attrs(AttrSpec.of("axis", Kind.INTEGER, 0L))
          .rule(Gathers::elements)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "gather",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              IndexingOps.gatherElements(
                                  k, "T_gather", in.tensor(0), in.tensor(1), axis(call)))))
          .build();

  /**
   * Slices that lines of indices name: data {@code [b..., n1, ..., nl, rest...]} and indices {@code
   * [b..., m..., l]} give {@code [b..., m..., rest...]}.
   */
  public static final OpDef GATHER_ND =
      OpDef.named("gather_nd")
          .args("data", "indices")
          .attrs(AttrSpec.of("batch_dims", Kind.INTEGER, 0L))
          .rule(Gathers::nd)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "gather_nd",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              IndexingOps.gatherNd(
                                  k, "T_gather_nd", in.tensor(0), in.tensor(1), batchDims(call)))))
          .build();

  /** The first axes of a tensor indexed by tensors that are broadcast against each other. */
  public static final OpDef INDEX_TENSOR =
      OpDef.named("index_tensor")
          .args("data", "indices")
          .rule(Gathers::indexed)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "index_tensor",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              IndexingOps.indexTensor(
                                  k, "T_index_tensor", in.tensor(0), in.tensors(1)))))
          .build();

  private Gathers() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(GATHER_ELEMENTS, GATHER_ND, INDEX_TENSOR);
  }

  /** The element at the same index, but for an axis, along which the index counts. */
  public static Call gatherElements(Expr data, Expr indices, int axis) {
    return Call.of(GATHER_ELEMENTS, List.of(data, indices), Attrs.of("axis", axis));
  }

  /** Slices that lines of indices name, in batches of the first axes. */
  public static Call gatherNd(Expr data, Expr indices, int batchDims) {
    return Call.of(GATHER_ND, List.of(data, indices), Attrs.of("batch_dims", batchDims));
  }

  /** The first axes indexed by tensors. */
  public static Call indexTensor(Expr data, List<? extends Expr> indices) {
    return Call.of(INDEX_TENSOR, data, new Tuple(List.copyOf(indices)));
  }

  private static int axis(OpCall call) {
    return Axes.normalize(call, call.attrs().integer("axis").orElseThrow(), call.tensor(0).ndim());
  }

  private static Type elements(OpCall call) {
    List<Operand> both = Operand.all(call, 0, 1);
    TensorType data = call.tensor(0);
    TensorType indices = ElementTypes.integers(call, 1);
    Ranks.requireSame(call, both.get(0), both.get(1));
    if (data.hasRank()) {
      axis(call);
    }
    TensorType result = indices.withDType(data.dtype()).withVDevice(CommonDevice.same(call, both));
    return indices.hasRank() ? result : result.withRank(data.ndim());
  }

  private static int batchDims(OpCall call) {
    return Math.clamp(call.attrs().integer("batch_dims").orElseThrow(), -1, MOST_AXES);
  }

  private static Type nd(OpCall call) {
    TensorType data = call.tensor(0);
    ElementTypes.integers(call, 1);
    TensorType indices = Ranks.atLeast(call, 1, 1);
    TensorType result = data.withVDevice(CommonDevice.same(call, Operand.all(call, 0, 1)));
    int batch = batchDims(call);
    if (indices.dims().isEmpty() || !data.hasRank()) {
      return result.withRank(ShapeType.UNKNOWN);
    }
    List<PrimExpr> lengths = indices.dims().get();
    if (!(lengths.getLast() instanceof IntImm length)) {
      throw call.error(
          "the last extent of indices must be a constant, but is "
              + PrimText.print(lengths.getLast()));
    }
    int taken = batch + Math.clamp(length.value(), 0, MOST_AXES);
    if (batch < 0 || batch >= lengths.size() || taken > data.ndim()) {
      throw call.error(
          "indices of length "
              + length.value()
              + " and batch_dims="
              + batch
              + " do not fit data with "
              + Count.axes(data.ndim())
              + " and indices with "
              + Count.axes(lengths.size()));
    }
    List<PrimExpr> outer = lengths.subList(0, lengths.size() - 1);
    if (data.dims().isEmpty()) {
      return result.withRank(outer.size() + data.ndim() - taken);
    }
    List<PrimExpr> dims = data.dims().get();
    for (int axis = 0; axis < batch; axis++) {
      Extents.requireSame(
          call, dims.get(axis), outer.get(axis), "axis " + axis + ", which is one of batches,");
    }
    return result.withDims(AxisLists.joined(outer, dims.subList(taken, dims.size())));
  }

  /** The type of index tensors broadcast together; checks that they fit the data. */
  static TensorType indices(OpCall call, int index, TensorType data) {
    List<Operand> indices = Operand.fields(call, index);
    for (Operand each : indices) {
      if (!each.type().dtype().map(DTypes::isInteger).orElse(true)) {
        throw call.wrong(index, "a tuple of tensors of integers");
      }
    }
    if (indices.isEmpty() || (data.hasRank() && indices.size() > data.ndim())) {
      throw call.error(
          "expected "
              + (data.hasRank() ? "1 to " + data.ndim() : "1 or more")
              + " tensors of indices, but got "
              + indices.size());
    }
    List<Operand> all = new ArrayList<>(indices);
    CommonDevice.same(call, AxisLists.inserted(all, 0, new Operand("data", data)));
    return Broadcast.type(call, indices, Optional.empty());
  }

  private static Type indexed(OpCall call) {
    TensorType data = call.tensor(0);
    TensorType indexType = indices(call, 1, data);
    int count = call.tensors(1).size();
    TensorType result = data.withVDevice(data.vdevice().or(indexType::vdevice));
    if (data.dims().isPresent() && indexType.dims().isPresent()) {
      return result.withDims(
          AxisLists.joined(indexType.dims().get(), data.dims().get().subList(count, data.ndim())));
    }
    return result.withRank(
        data.hasRank() && indexType.hasRank()
            ? indexType.ndim() + data.ndim() - count
            : ShapeType.UNKNOWN);
  }
}
