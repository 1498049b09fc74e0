package org.relaxvm.compiler.op.typerule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Arguments that are single numbers, and lists of them. */
public final class ScalarArgs {
  private ScalarArgs() {}

  /** An argument that is an integer, as int64; empty when the program computes it. */
  public static Optional<PrimExpr> integer(OpCall call, int index) {
    if (!DTypes.isInteger(call.scalar(index).dtype())) {
      throw call.wrong(index, "an integer");
    }
    return call.value(index).map(value -> Exprs.cast(DType.INT64, value));
  }

  /** An argument that is an integer, as int64; the fallback where it is absent. */
  public static Optional<PrimExpr> integer(OpCall call, int index, long fallback) {
    return index < call.size() ? integer(call, index) : Optional.of(IntImm.of(fallback));
  }

  /**
   * An argument that is a tuple of integers or a shape, as int64; empty when its values or one of
   * them are not known.
   */
  public static Optional<List<PrimExpr>> integers(OpCall call, int index) {
    if (call.type(index) instanceof ShapeType) {
      return call.dims(index);
    }
    boolean right =
        call.type(index) instanceof TupleType(var types)
            && types.stream().allMatch(ScalarArgs::isInteger);
    if (!right) {
      throw call.wrong(index, "a tuple of integers");
    }
    Optional<List<Expr>> fields = call.fields(index);
    if (fields.isEmpty()) {
      return Optional.empty();
    }
    List<PrimExpr> values = new ArrayList<>();
    for (Expr field : fields.get()) {
      if (!(resolved(call, field) instanceof PrimValue(PrimExpr value))) {
        return Optional.empty();
      }
      values.add(Exprs.cast(DType.INT64, value));
    }
    return Optional.of(values);
  }

  private static boolean isInteger(Object type) {
    return type instanceof PrimType(DType dtype) && DTypes.isInteger(dtype);
  }

  private static Expr resolved(OpCall call, Expr field) {
    Expr value = field;
    while (value instanceof RelaxVar var && call.context().lookup(var).isPresent()) {
      value = call.context().lookup(var).get();
    }
    return value;
  }

  /** The element of an argument that is a constant tensor without axes; else empty. */
  public static Optional<PrimExpr> constant(OpCall call, int index) {
    if (!(call.resolved(index) instanceof Constant constant)
        || constant.data().shape().rank() != 0) {
      return Optional.empty();
    }
    Tensor data = constant.data();
    return Optional.of(
        data.dtype().isFloat()
            ? new FloatImm(data.dtype(), data.toDoubleArray()[0])
            : new IntImm(data.dtype(), data.toLongArray()[0]));
  }
}
