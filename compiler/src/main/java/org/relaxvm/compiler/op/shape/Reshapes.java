package org.relaxvm.compiler.op.shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.Legalizer;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.op.OpContext;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.typerule.Extents;
import org.relaxvm.compiler.op.typerule.ShapeArgs;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;
import org.relaxvm.tir.op.ShapeOps;

/** The elements in row-major order in another shape. Source: docs/spec/op-set.md, section 2.4. */
public final class Reshapes {
  /**
   * The elements in a shape of as many. In the shape that a call is written with, one extent may be
   * -1, which stands for what is left, and 0 stands for the extent of the same axis of the tensor;
   * of a tensor that is surely empty it is 0. In normal form the shape has neither.
   */
  public static final OpDef RESHAPE =
      OpDef.named("reshape")
          .args("x", "shape")
          .rule(Reshapes::reshaped)
          .normalizer(Reshapes::completed)
          .legalizer(kernel())
          .build();

  /** The elements on one axis. */
  public static final OpDef FLATTEN =
      OpDef.named("flatten").args("x").rule(Reshapes::flattened).legalizer(kernel()).build();

  private Reshapes() {}

  /** All of them. */
  public static List<OpDef> all() {
    return List.of(RESHAPE, FLATTEN);
  }

  /** The elements in another shape. */
  public static Call reshape(Expr x, Expr shape) {
    return Call.of(RESHAPE, x, shape);
  }

  /**
   * The elements in another shape.
   *
   * @param dims numbers and int64 expressions; one may be -1
   */
  public static Call reshape(Expr x, Object... dims) {
    return reshape(x, ShapeExpr.of(dims));
  }

  /** The elements on one axis. */
  public static Call flatten(Expr x) {
    return Call.of(FLATTEN, x);
  }

  private static Legalizer kernel() {
    return (call, kernels) ->
        kernels.call(
            "reshape",
            List.of(call.arg(0)),
            call.call().type(),
            KernelBody.one(
                (k, in) -> ShapeOps.reshape(k, "T_reshape", in.tensor(0), in.resultDims(0))));
  }

  private static Type reshaped(OpCall call) {
    TensorType x = call.tensor(0);
    Optional<List<PrimExpr>> target = target(call);
    if (target.isEmpty()) {
      return ShapeArgs.tensor(call, 1, x.dtype()).withVDevice(x.vdevice());
    }
    if (x.dims().isPresent()) {
      PrimExpr had = Extents.product(call, x.dims().get());
      PrimExpr gets = Extents.product(call, target.get());
      if (Extents.differ(call, had, gets)) {
        throw call.error(
            "x has "
                + PrimText.print(had)
                + " elements, but the shape "
                + PrimText.printTuple(target.get())
                + " has "
                + PrimText.print(gets));
      }
    }
    return x.withDims(target.get());
  }

  /** The shape without extents that stand for others; empty when it is not known. */
  private static Optional<List<PrimExpr>> target(OpCall call) {
    call.shape(1);
    if (call.dims(1).isEmpty()) {
      return Optional.empty();
    }
    List<PrimExpr> copied = copied(call, call.dims(1).get());
    int open = -1;
    for (int axis = 0; axis < copied.size(); axis++) {
      if (copied.get(axis) instanceof IntImm known && known.value() < 0) {
        if (known.value() != -1 || open >= 0) {
          throw call.error(
              "extents must not be negative, but for one that is -1; got "
                  + PrimText.printTuple(call.dims(1).get()));
        }
        open = axis;
      }
    }
    return Optional.of(
        Extents.simplify(
            call,
            open < 0 ? copied : AxisLists.with(copied, open, openExtent(call, copied, open))));
  }

  private static List<PrimExpr> copied(OpCall call, List<PrimExpr> dims) {
    Optional<List<PrimExpr>> source = call.tensor(0).dims();
    boolean isEmpty =
        source.isPresent() && source.get().stream().anyMatch(dim -> Extents.isConstant(dim, 0));
    if (source.isEmpty() || isEmpty) {
      return dims;
    }
    List<PrimExpr> copied = new ArrayList<>();
    for (int axis = 0; axis < dims.size(); axis++) {
      boolean copies = Extents.isConstant(dims.get(axis), 0);
      if (copies && axis >= source.get().size()) {
        throw call.error(
            "the extent 0 at axis "
                + axis
                + " stands for that of x, which has no such axis: "
                + PrimText.printTuple(source.get()));
      }
      copied.add(copies ? source.get().get(axis) : dims.get(axis));
    }
    return copied;
  }

  /** The extent that -1 stands for. */
  private static PrimExpr openExtent(OpCall call, List<PrimExpr> dims, int open) {
    List<PrimExpr> left =
        new ArrayList<>(
            call.tensor(0)
                .dims()
                .orElseThrow(
                    () ->
                        call.error(
                            "the extent -1 stands for what is left, but the shape of x is not"
                                + " known; say what it is with match_cast, or give the extent")));
    List<PrimExpr> divisors = new ArrayList<>();
    for (PrimExpr dim : AxisLists.without(dims, open)) {
      int same = indexOf(call, left, dim);
      if (same >= 0) {
        left.remove(same);
      } else {
        divisors.add(dim);
      }
    }
    PrimExpr total = Extents.product(call, left);
    PrimExpr others = Extents.product(call, divisors);
    boolean fits =
        !Extents.isConstant(others, 0)
            && !(total instanceof IntImm a
                && others instanceof IntImm b
                && a.value() % b.value() != 0);
    if (!fits) {
      throw call.error(
          "no extent instead of -1 gives the shape "
              + PrimText.printTuple(dims)
              + " as many elements as x has: "
              + PrimText.printTuple(call.tensor(0).dims().get()));
    }
    return Exprs.floorDiv(total, others);
  }

  private static int indexOf(OpCall call, List<PrimExpr> dims, PrimExpr dim) {
    for (int i = 0; i < dims.size(); i++) {
      boolean same = dims.get(i).equals(dim) || call.analyzer().canProveEqual(dims.get(i), dim);
      if (same && !Extents.isConstant(dim, 0)) {
        return i;
      }
    }
    return -1;
  }

  private static Expr completed(Call call, OpContext context) {
    OpCall reshape = new OpCall(RESHAPE, call, context);
    Optional<List<PrimExpr>> given = reshape.dims(1);
    boolean isOpen =
        given.isPresent()
            && given.get().stream().anyMatch(dim -> dim instanceof IntImm i && i.value() <= 0);
    if (!isOpen) {
      return call;
    }
    ShapeExpr complete = new ShapeExpr(target(reshape).orElseThrow());
    return complete.values().equals(given.get())
        ? call
        : call.withArgs(List.of(call.args().getFirst(), complete));
  }

  private static Type flattened(OpCall call) {
    TensorType x = call.tensor(0);
    if (x.ndim() == 1) {
      return x;
    }
    return x.dims()
        .<Type>map(dims -> x.withDims(List.of(Extents.product(call, dims))))
        .orElseGet(() -> x.withRank(1));
  }
}
