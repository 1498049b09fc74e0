package org.relaxvm.backendsupport.gpu.module;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.IntegerMath;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.scalar.Scalars;

/** The variables that a call gives values to, and expressions of them. */
final class Extents {
  private Extents() {}

  /** A number that depends on variables only. */
  interface Extent {
    /** For values of the variables by their numbers. */
    long value(long[] values);
  }

  /** The variables of the parameters of a kernel: numbers, extents, strides and offsets. */
  static List<Var> variables(PrimFunc kernel) {
    Set<Var> variables = new LinkedHashSet<>();
    for (Param param : kernel.params()) {
      switch (param) {
        case Param.OfScalar(Var var) -> variables.add(var);
        case Param.OfHandle handle -> {}
        case Param.OfBuffer(Buffer buffer) -> {
          buffer.shape().forEach(extent -> add(extent, variables));
          buffer.strides().forEach(stride -> add(stride, variables));
          add(buffer.elemOffset(), variables);
        }
      }
    }
    return new ArrayList<>(variables);
  }

  private static void add(PrimExpr expr, Set<Var> variables) {
    if (expr instanceof Var var) {
      variables.add(var);
    }
    expr.operands().forEach(operand -> add(operand, variables));
  }

  /** An expression of integers, as a function of the values of variables by their numbers. */
  static Extent of(PrimExpr expr, List<Var> variables) {
    return switch (expr) {
      case IntImm constant -> {
        long value = constant.value();
        yield values -> value;
      }
      case Var var -> {
        int number = variables.indexOf(var);
        if (number < 0) {
          throw new IllegalStateException("an extent of a launch is not known: " + var);
        }
        yield values -> values[number];
      }
      case Binary(BinaryOp op, PrimExpr left, PrimExpr right) -> {
        Extent a = of(left, variables);
        Extent b = of(right, variables);
        DType dtype = left.dtype();
        yield values -> IntegerMath.apply(op, dtype, a.value(values), b.value(values));
      }
      case Cast cast -> {
        Extent value = of(cast.value(), variables);
        DType from = cast.value().dtype();
        yield values -> Scalars.cast(from, cast.dtype(), value.value(values));
      }
      case Select select -> choice(select.operands(), variables);
      case Not not -> {
        Extent value = of(not.operands().getFirst(), variables);
        yield values -> 1 - value.value(values);
      }
      case Call call when call.op() == Intrinsic.IF_THEN_ELSE -> choice(call.args(), variables);
      default -> throw new IllegalStateException("an extent cannot be computed: " + expr);
    };
  }

  private static Extent choice(List<PrimExpr> operands, List<Var> variables) {
    Extent condition = of(operands.get(0), variables);
    Extent whenTrue = of(operands.get(1), variables);
    Extent whenFalse = of(operands.get(2), variables);
    return values -> (condition.value(values) != 0 ? whenTrue : whenFalse).value(values);
  }
}
