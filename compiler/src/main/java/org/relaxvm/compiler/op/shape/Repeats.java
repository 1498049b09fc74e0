package org.relaxvm.compiler.op.shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.ShapeOps;

/** Tensors and elements again and again. Source: docs/spec/op-set.md, section 2.4. */
public final class Repeats {
  /** The whole tensor again and again along its last axes; missing ones are added in front. */
  public static final OpDef TILE =
      OpDef.named("tile")
          .args("x")
          .attrs(AttrSpec.required("repeats", Kind.INTEGERS))
          .rule(Repeats::tiled)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "tile",
                      call,
                      KernelBody.one(
                          (k, in) -> ShapeOps.tile(k, "T_tile", in.tensor(0), counts(call)))))
          .build();

  /** Each element again and again along an axis; without one the tensor is flattened first. */
  public static final OpDef REPEAT =
      OpDef.named("repeat")
          .args("x")
          .attrs(
              AttrSpec.required("repeats", Kind.INTEGER), AttrSpec.optional("axis", Kind.INTEGER))
          .rule(Repeats::repeated)
          .legalizer(Repeats::repeat)
          .build();

  private Repeats() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(TILE, REPEAT);
  }

  /** The whole tensor again and again. */
  public static Call tile(Expr x, Integer... repeats) {
    return Call.of(TILE, List.of(x), Attrs.of("repeats", List.of(repeats)));
  }

  /** Each element again and again along an axis. */
  public static Call repeat(Expr x, long repeats, int axis) {
    return Call.of(REPEAT, List.of(x), Attrs.of("repeats", repeats).with("axis", axis));
  }

  private static List<Long> counts(OpCall call) {
    return call.attrs().integers("repeats").orElseThrow();
  }

  private static void requireNotNegative(OpCall call) {
    if (counts(call).stream().anyMatch(count -> count < 0)) {
      throw call.error("repeats must not be negative, but is " + counts(call));
    }
  }

  private static Type tiled(OpCall call) {
    requireNotNegative(call);
    TensorType x = call.tensor(0);
    List<Long> counts = counts(call);
    if (!x.hasRank()) {
      return x;
    }
    int ndim = Math.max(x.ndim(), counts.size());
    if (x.dims().isEmpty()) {
      return x.withRank(ndim);
    }
    List<PrimExpr> dims = new ArrayList<>();
    for (int axis = 0; axis < ndim; axis++) {
      int own = axis - (ndim - x.ndim());
      int count = axis - (ndim - counts.size());
      dims.add(
          Exprs.mul(
              own < 0 ? IntImm.of(1) : x.dims().get().get(own), count < 0 ? 1 : counts.get(count)));
    }
    return x.withDims(Extents.simplify(call, dims));
  }

  private static Type repeated(OpCall call) {
    requireNotNegative(call);
    TensorType x = call.tensor(0);
    long count = counts(call).getFirst();
    Optional<Long> axis = call.attrs().integer("axis");
    if (axis.isEmpty()) {
      return x.dims()
          .<Type>map(
              dims ->
                  x.withDims(
                      Extents.simplify(
                          call, List.of(Exprs.mul(Extents.product(call, dims), count)))))
          .orElseGet(() -> x.withRank(1));
    }
    if (!x.hasRank()) {
      return x;
    }
    int position = Axes.normalize(call, axis.get(), x.ndim());
    return x.dims()
        .<Type>map(
            dims ->
                x.withDims(
                    Extents.simplify(
                        call,
                        AxisLists.with(dims, position, Exprs.mul(dims.get(position), count)))))
        .orElseGet(() -> x.withRank(x.ndim()));
  }

  private static Expr repeat(OpCall call, KernelCalls kernels) {
    @Nullable Integer axis =
        call.attrs()
            .integer("axis")
            .map(given -> Axes.normalize(call, given, call.tensor(0).ndim()))
            .orElse(null);
    return kernels.call(
        "repeat",
        call,
        KernelBody.one(
            (k, in) ->
                ShapeOps.repeat(k, "T_repeat", in.tensor(0), counts(call).getFirst(), axis)));
  }
}
