package org.relaxvm.compiler.op.index;

import java.util.List;
import java.util.Optional;
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
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.SliceOps;

/** Slices written at a position of its own for each row, such as caches of keys and values. */
public final class RowUpdates {
  /**
   * A tensor with a slice along an axis, which is not the first one, taken from {@code source}.
   * Integers {@code begin} say where it begins for each index of the first axis. With {@code
   * circular} it goes on at the beginning where the axis ends; else what is beyond is left out.
   */
  public static final OpDef ROW_UPDATE =
      OpDef.named("row_update")
          .args("data", "source", "begin")
          .attrs(AttrSpec.of("axis", Kind.INTEGER, -2L), AttrSpec.of("circular", Kind.BOOL, false))
          .rule(RowUpdates::type)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "row_update",
                      call,
                      KernelBody.one(
                          (k, in) ->
                              SliceOps.rowUpdate(
                                  k,
                                  "T_row_update",
                                  in.tensor(0),
                                  in.tensor(1),
                                  in.tensor(2),
                                  axis(call),
                                  call.attrs().bool("circular").orElseThrow()))))
          .build();

  private RowUpdates() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(ROW_UPDATE);
  }

  /** A tensor with a slice from another at a position of its own for each row. */
  public static Call rowUpdate(Expr data, Expr source, Expr begin, int axis, boolean circular) {
    return Call.of(
        ROW_UPDATE,
        List.of(data, source, begin),
        Attrs.of("axis", axis).with("circular", circular));
  }

  private static int axis(OpCall call) {
    int ndim = call.tensor(0).ndim();
    int axis = Axes.normalize(call, call.attrs().integer("axis").orElseThrow(), ndim);
    if (axis == 0) {
      throw call.error("the axis must not be the first one, which has the rows");
    }
    return axis;
  }

  private static Type type(OpCall call) {
    TensorType x = Ranks.atLeast(call, 0, 2);
    TensorType source = call.tensor(1);
    TensorType begin = ElementTypes.integers(call, 2);
    Ranks.require(call, 2, 1);
    List<Operand> both = Operand.all(call, 0, 1);
    Ranks.requireSame(call, both.get(0), both.get(1));
    TensorType result =
        x.withDType(ElementTypes.same(call, both))
            .withVDevice(CommonDevice.same(call, Operand.all(call, 0, 1, 2)));
    if (!x.hasRank()) {
      return result;
    }
    int along = axis(call);
    Optional<List<PrimExpr>> dims = x.dims();
    Optional<List<PrimExpr>> updates = source.dims();
    if (dims.isPresent() && updates.isPresent()) {
      for (int axis = 0; axis < x.ndim(); axis++) {
        if (axis != along) {
          Extents.requireSame(
              call,
              dims.get().get(axis),
              updates.get().get(axis),
              "axis " + axis + " of data and source");
        }
      }
    }
    if (dims.isPresent() && begin.dims().isPresent()) {
      Extents.requireSame(
          call,
          dims.get().getFirst(),
          begin.dims().get().getFirst(),
          "the first axes of data and begin");
    }
    return result;
  }
}
