package org.relaxvm.compiler.op.typerule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Operands of different shapes: the last axes are aligned, missing ones count as 1, and the
 * constant 1 gives way to any extent. Source: docs/spec/op-set.md, section 1.
 */
public final class Broadcast {
  private Broadcast() {}

  /**
   * The extents that two lists of extents give; empty when it is not known whether two of them are
   * equal or one is 1.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when two different constants meet
   */
  public static Optional<List<PrimExpr>> dims(OpCall call, List<PrimExpr> a, List<PrimExpr> b) {
    int ndim = Math.max(a.size(), b.size());
    List<PrimExpr> dims = new ArrayList<>();
    boolean known = true;
    for (int axis = 0; axis < ndim; axis++) {
      PrimExpr x = aligned(a, axis, ndim);
      PrimExpr y = aligned(b, axis, ndim);
      if (Extents.isOne(x)) {
        dims.add(y);
      } else if (Extents.isOne(y) || x.equals(y) || call.analyzer().canProveEqual(x, y)) {
        dims.add(x);
      } else if (x instanceof IntImm && y instanceof IntImm) {
        throw call.error(
            "cannot broadcast "
                + PrimText.printTuple(a)
                + " and "
                + PrimText.printTuple(b)
                + ": of axis "
                + axis
                + " the extents are "
                + PrimText.print(x)
                + " and "
                + PrimText.print(y)
                + "; expected equal ones, or 1");
      } else {
        known = false;
      }
    }
    return known ? Optional.of(dims) : Optional.empty();
  }

  private static PrimExpr aligned(List<PrimExpr> dims, int axis, int ndim) {
    int own = axis - (ndim - dims.size());
    return own < 0 ? IntImm.of(1) : dims.get(own);
  }

  /**
   * What operands give together, on the device that they are on.
   *
   * @param dtype of the result
   */
  public static TensorType type(OpCall call, List<Operand> operands, Optional<DType> dtype) {
    Optional<VDevice> vdevice = CommonDevice.same(call, operands);
    Optional<TensorShape> shape = shape(call, operands);
    int ndim = shape.map(TensorShape::ndim).orElseGet(() -> ndim(operands));
    return new TensorType(shape, dtype, ndim, vdevice);
  }

  /** The largest number of axes; unknown when that of one is not known. */
  public static int ndim(List<Operand> operands) {
    int ndim = 0;
    for (Operand operand : operands) {
      if (!operand.type().hasRank()) {
        return ShapeType.UNKNOWN;
      }
      ndim = Math.max(ndim, operand.type().ndim());
    }
    return ndim;
  }

  private static Optional<TensorShape> shape(OpCall call, List<Operand> operands) {
    Optional<TensorShape> shared = sharedVar(operands);
    if (shared.isPresent()) {
      return shared;
    }
    Optional<List<PrimExpr>> all = Optional.of(List.of());
    for (Operand operand : operands) {
      Optional<List<PrimExpr>> own = operand.type().dims();
      all = own.isEmpty() ? own : all.flatMap(dims -> dims(call, dims, own.get()));
      if (all.isEmpty()) {
        return Optional.empty();
      }
    }
    return all.map(dims -> new TensorShape.Known(Extents.simplify(call, dims)));
  }

  /** The variable that holds the shape of all operands that have axes. */
  private static Optional<TensorShape> sharedVar(List<Operand> operands) {
    List<Optional<TensorShape>> shapes =
        operands.stream()
            .filter(operand -> operand.type().ndim() != 0)
            .map(operand -> operand.type().shape())
            .distinct()
            .toList();
    boolean one = shapes.size() == 1 && shapes.getFirst().orElse(null) instanceof TensorShape.OfVar;
    // A scalar beside it has fewer axes only where their number is known.
    boolean scalars = operands.stream().anyMatch(operand -> operand.type().ndim() == 0);
    return one && !(scalars && shapes.getFirst().orElseThrow().ndim() == ShapeType.UNKNOWN)
        ? shapes.getFirst()
        : Optional.empty();
  }
}
