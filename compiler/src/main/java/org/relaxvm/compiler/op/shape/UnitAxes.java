package org.relaxvm.compiler.op.shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Axes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.ShapeArgs;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.ShapeOps;

/** Axes of extent 1 added, taken away and repeated. Source: docs/spec/op-set.md, section 2.4. */
public final class UnitAxes {
  /** New axes of extent 1; {@code axis} says where they are in the result. */
  public static final OpDef EXPAND_DIMS =
      OpDef.named("expand_dims")
          .args("x")
          .attrs(AttrSpec.required("axis", Kind.INTEGERS))
          .rule(UnitAxes::expanded)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "expand_dims",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              ShapeOps.expandDims(
                                  k, "expand_dims", in.tensor(0), positions(call, added(call))))))
          .build();

  /**
   * Axes of extent 1 taken away: those that are given, where a symbolic extent is believed to be 1,
   * or all of them, for which each extent must be known.
   */
  public static final OpDef SQUEEZE =
      OpDef.named("squeeze")
          .args("x")
          .attrs(AttrSpec.optional("axis", Kind.INTEGERS))
          .rule(UnitAxes::squeezed)
          .legalizer(UnitAxes::squeeze)
          .build();

  /** Axes of extent 1, and missing ones, repeated up to a shape. */
  public static final OpDef BROADCAST_TO =
      OpDef.named("broadcast_to")
          .args("x", "shape")
          .rule(UnitAxes::broadcast)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "broadcast_to",
                      List.of(call.arg(0)),
                      call.call().type(),
                      KernelBody.one(
                          (k, in) ->
                              ShapeOps.broadcastTo(
                                  k, "T_broadcast_to", in.tensor(0), in.resultDims(0)))))
          .build();

  private UnitAxes() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(EXPAND_DIMS, SQUEEZE, BROADCAST_TO);
  }

  /** New axes of extent 1, at positions in the result. */
  public static Call expandDims(Expr x, Integer... axes) {
    return Call.of(EXPAND_DIMS, List.of(x), Attrs.of("axis", List.of(axes)));
  }

  /** Axes of extent 1 taken away. */
  public static Call squeeze(Expr x, Integer... axes) {
    return Call.of(SQUEEZE, List.of(x), Attrs.of("axis", List.of(axes)));
  }

  /** All axes of extent 1 taken away. */
  public static Call squeezeAll(Expr x) {
    return Call.of(SQUEEZE, x);
  }

  /** The tensor repeated up to a shape. */
  public static Call broadcastTo(Expr x, Expr shape) {
    return Call.of(BROADCAST_TO, x, shape);
  }

  /** The tensor repeated up to extents, which are numbers and int64 expressions. */
  public static Call broadcastTo(Expr x, Object... dims) {
    return broadcastTo(x, ShapeExpr.of(dims));
  }

  private static List<Long> added(OpCall call) {
    return call.attrs().integers("axis").orElseThrow();
  }

  private static List<Integer> positions(OpCall call, List<Long> axes) {
    return Axes.normalize(call, axes, call.tensor(0).ndim() + axes.size());
  }

  private static Type expanded(OpCall call) {
    TensorType x = call.tensor(0);
    List<Long> axes = added(call);
    if (axes.isEmpty() || !x.hasRank()) {
      return x;
    }
    List<Integer> positions = positions(call, axes).stream().sorted().toList();
    if (x.dims().isEmpty()) {
      return x.withRank(x.ndim() + axes.size());
    }
    List<PrimExpr> dims = new ArrayList<>(x.dims().get());
    positions.forEach(position -> dims.add(position, IntImm.of(1)));
    return x.withDims(dims);
  }

  private static Type squeezed(OpCall call) {
    TensorType x = call.tensor(0);
    Optional<List<Long>> axes = call.attrs().integers("axis");
    if (axes.isEmpty()) {
      boolean known =
          x.dims().isPresent() && x.dims().get().stream().allMatch(IntImm.class::isInstance);
      return known
          ? x.withDims(x.dims().get().stream().filter(dim -> !Extents.isOne(dim)).toList())
          : x.withRank(ShapeType.UNKNOWN);
    }
    if (axes.get().isEmpty() || !x.hasRank()) {
      return x;
    }
    List<Integer> gone = Axes.normalize(call, axes.get(), x.ndim());
    if (x.dims().isEmpty()) {
      return x.withRank(x.ndim() - gone.size());
    }
    List<PrimExpr> dims = new ArrayList<>();
    for (int axis = 0; axis < x.ndim(); axis++) {
      PrimExpr dim = x.dims().get().get(axis);
      if (!gone.contains(axis)) {
        dims.add(dim);
      } else if (dim instanceof IntImm && !Extents.isOne(dim)) {
        throw call.error(
            "the extent of axis " + axis + " must be 1, but is " + PrimText.print(dim));
      }
    }
    return x.withDims(dims);
  }

  private static Expr squeeze(OpCall call, KernelCalls kernels) {
    Optional<List<Long>> axes = call.attrs().integers("axis");
    int ndim = call.tensor(0).ndim();
    return kernels.call(
        "squeeze",
        call,
        KernelBody.one(
            (k, in) ->
                ShapeOps.squeeze(
                    k,
                    "T_squeeze",
                    in.tensor(0),
                    axes.map(given -> Axes.normalize(call, given, ndim)).orElse(null))));
  }

  private static Type broadcast(OpCall call) {
    TensorType x = call.tensor(0);
    TensorType target = ShapeArgs.tensor(call, 1, x.dtype()).withVDevice(x.vdevice());
    if (x.hasRank() && target.hasRank() && x.ndim() > target.ndim()) {
      throw call.error(
          "cannot repeat " + Count.axes(x.ndim()) + " up to " + target.ndim() + "; x is " + x);
    }
    if (x.dims().isPresent() && target.dims().isPresent()) {
      int missing = target.ndim() - x.ndim();
      for (int axis = 0; axis < x.ndim(); axis++) {
        PrimExpr own = x.dims().get().get(axis);
        PrimExpr wanted = target.dims().get().get(missing + axis);
        if (!Extents.isOne(own) && Extents.differ(call, own, wanted)) {
          throw call.error(
              "cannot repeat the extent "
                  + PrimText.print(own)
                  + " of axis "
                  + axis
                  + " up to "
                  + PrimText.print(wanted)
                  + "; expected 1 or the same");
        }
      }
    }
    return target;
  }
}
