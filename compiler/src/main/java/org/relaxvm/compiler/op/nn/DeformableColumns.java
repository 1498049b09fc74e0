package org.relaxvm.compiler.op.nn;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.AttrSpec.Kind;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.op.typerule.SpatialLayout;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.DeformOps;
import org.relaxvm.tir.op.PoolAttrs;

/**
 * The first half of a deformable convolution: what elements of windows are at positions that a
 * tensor gives. The second half is a matrix product.
 */
public final class DeformableColumns {
  /**
   * {@code (data [n, c, in...], offset [n, groups * taps * axes, out...][, mask [n, groups * taps,
   * out...]])} to {@code [n, c, taps, out...]}: floats, between elements by linear interpolation, 0
   * outside. {@code kernel_size} has a number for each of one to three spatial axes; {@code taps}
   * is their product.
   */
  public static final OpDef DEFORMABLE_COLUMNS =
      OpDef.named("nn.deformable_columns")
          .args("data", "offset")
          .optionalArgs("mask")
          .attrs(
              AttrSpec.required("kernel_size", Kind.INTEGERS),
              AttrSpec.of("strides", Kind.INTEGERS, List.of(1)),
              AttrSpec.of("padding", Kind.INTEGERS, List.of(0)),
              AttrSpec.of("dilation", Kind.INTEGERS, List.of(1)),
              AttrSpec.of("offset_groups", Kind.INTEGER, 1))
          .rule(DeformableColumns::type)
          .legalizer(
              (call, kernels) ->
                  kernels.call(
                      "deformable_columns",
                      call,
                      KernelBody.one(
                          (k, inputs) ->
                              DeformOps.columns(
                                  k,
                                  "deformable_columns",
                                  inputs.tensor(0),
                                  inputs.tensor(1),
                                  call.size() > 2 ? inputs.tensor(2) : null,
                                  windows(call),
                                  groups(call)))))
          .build();

  private DeformableColumns() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(DEFORMABLE_COLUMNS);
  }

  private static PoolAttrs windows(OpCall call) {
    int spatial = call.attrs().integers("kernel_size").orElseThrow().size();
    if (spatial < 1 || spatial > 3) {
      throw call.error("kernel_size must be 1 to 3 numbers, but is " + spatial + " of them");
    }
    return new PoolAttrs(
        WindowAttrs.perAxis(call, "kernel_size", spatial, 1),
        WindowAttrs.perAxis(call, "strides", spatial, 1),
        WindowAttrs.padding(call, spatial, false),
        WindowAttrs.perAxis(call, "dilation", spatial, 1),
        false,
        false,
        SpatialLayout.data(spatial));
  }

  private static int groups(OpCall call) {
    long groups = call.attrs().integer("offset_groups").orElseThrow();
    if (groups < 1 || groups > Integer.MAX_VALUE) {
      throw call.error("offset_groups must be from 1 to 2147483647, but is " + groups);
    }
    return (int) groups;
  }

  private static Type type(OpCall call) {
    PoolAttrs windows = windows(call);
    int rank = 2 + windows.spatial();
    List<Operand> operands = Operand.all(call, IntStream.range(0, call.size()).toArray());
    for (int index = 0; index < call.size(); index++) {
      ElementTypes.floats(call, index);
      Ranks.require(call, index, rank);
    }
    Optional<DType> dtype = ElementTypes.same(call, operands);
    long taps = windows.window().stream().reduce(1L, (a, b) -> a * b);
    requireChannels(call, 1, groups(call) * taps * windows.spatial());
    if (call.size() > 2) {
      requireChannels(call, 2, groups(call) * taps);
    }
    requireGroups(call);
    TensorType result =
        TensorType.ofRank(dtype, rank + 1).withVDevice(CommonDevice.same(call, operands));
    Optional<List<PrimExpr>> data = call.tensor(0).dims();
    Optional<List<PrimExpr>> offset = call.tensor(1).dims();
    if (data.isEmpty() || offset.isEmpty()) {
      return result;
    }
    List<PrimExpr> dims = new ArrayList<>(data.get().subList(0, 2));
    dims.add(IntImm.of(taps));
    dims.addAll(offset.get().subList(2, rank));
    return result.withDims(dims);
  }

  private static void requireChannels(OpCall call, int index, long expected) {
    Optional<List<PrimExpr>> dims = call.tensor(index).dims();
    if (dims.isPresent() && Extents.differ(call, dims.get().get(1), IntImm.of(expected))) {
      throw call.wrong(index, "a tensor of " + expected + " channels");
    }
  }

  private static void requireGroups(OpCall call) {
    Optional<List<PrimExpr>> dims = call.tensor(0).dims();
    if (dims.isPresent()
        && dims.get().get(1) instanceof IntImm channels
        && channels.value() % groups(call) != 0) {
      throw call.error(
          "the "
              + channels.value()
              + " channels cannot be divided into "
              + groups(call)
              + " groups of offsets");
    }
  }

  /**
   * What elements of windows are at their positions.
   *
   * @param mask empty for factors of 1
   * @param window extents of a window; its padding has no ends that are cut
   */
  public static Call deformableColumns(
      Expr data, Expr offset, Optional<? extends Expr> mask, PoolOptions window, int groups) {
    List<Expr> args = new ArrayList<>(List.of(data, offset));
    mask.ifPresent(args::add);
    return Call.of(
        DEFORMABLE_COLUMNS,
        args,
        Attrs.of("kernel_size", window.window())
            .with("strides", window.strides())
            .with("padding", window.padding())
            .with("dilation", window.dilation())
            .with("offset_groups", groups));
  }
}
