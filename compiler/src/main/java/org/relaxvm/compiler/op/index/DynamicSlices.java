package org.relaxvm.compiler.op.index;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.op.KernelCalls;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.op.typerule.CommonDevice;
import org.relaxvm.compiler.op.typerule.ElementTypes;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.Operand;
import org.relaxvm.compiler.op.typerule.Ranks;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.SliceOps;

/** Slices at places that tensors say. Source: docs/spec/op-set.md, sections 2.5 and 3.4. */
public final class DynamicSlices {
  /**
   * The slice along all axes whose begins, ends and strides are in tensors of integers, one for
   * each axis. Of the shape only the number of axes is known before the program runs.
   */
  public static final OpDef DYNAMIC_STRIDED_SLICE =
      OpDef.named("dynamic_strided_slice")
          .args("x", "begin", "end", "strides")
          .dataDependent()
          .rule(DynamicSlices::type)
          .legalizer(DynamicSlices::legalize)
          .build();

  private DynamicSlices() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(DYNAMIC_STRIDED_SLICE);
  }

  /** The slice along all axes at places that tensors say. */
  public static Call dynamicStridedSlice(Expr x, Expr begin, Expr end, Expr strides) {
    return Call.of(DYNAMIC_STRIDED_SLICE, x, begin, end, strides);
  }

  private static Type type(OpCall call) {
    TensorType x = Ranks.atLeast(call, 0, 1);
    for (int i = 1; i < 4; i++) {
      ElementTypes.integers(call, i);
      TensorType list = Ranks.require(call, i, 1);
      if (x.hasRank() && list.dims().isPresent()) {
        Extents.requireSame(
            call,
            list.dims().get().getFirst(),
            IntImm.of(x.ndim()),
            call.op().argName(i) + " and the number of axes of x");
      }
    }
    return x.withRank(x.ndim()).withVDevice(CommonDevice.same(call, Operand.all(call, 0, 1, 2, 3)));
  }

  private static Expr legalize(OpCall call, KernelCalls kernels) {
    TensorType x = call.tensor(0);
    List<Expr> args = call.call().args();
    Expr sizes =
        kernels.call(
            "shape_func",
            args,
            TensorType.of(DType.INT64, x.ndim()),
            KernelBody.one(
                (k, in) ->
                    SliceOps.dynamicSliceShape(
                        k,
                        "T_shape_func_strided_slice_dynamic",
                        in.tensor(0),
                        in.tensor(1),
                        in.tensor(2),
                        in.tensor(3))));
    RelaxVar shape = kernels.emit(Call.of(ValueOps.TENSOR_TO_SHAPE, kernels.emit(sizes)));
    List<PrimExpr> dims =
        IntStream.range(0, x.ndim()).<PrimExpr>mapToObj(i -> Var.index("s" + i)).toList();
    kernels.emitMatchCast(shape, ShapeType.of(dims));
    return kernels.call(
        "dynamic_strided_slice",
        args,
        x.withDims(dims).withVDevice(vdevice(call)),
        KernelBody.one(
            (k, in) ->
                SliceOps.dynamicStridedSlice(
                    k,
                    "T_strided_slice_dynamic",
                    in.tensor(0),
                    in.tensor(1),
                    in.tensor(2),
                    in.tensor(3),
                    in.resultDims(0))));
  }

  private static Optional<VDevice> vdevice(OpCall call) {
    return ((TensorType) call.call().type()).vdevice();
  }
}
