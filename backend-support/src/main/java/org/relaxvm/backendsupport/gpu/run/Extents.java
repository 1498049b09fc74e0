package org.relaxvm.backendsupport.gpu.run;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Binary;
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

  /** The variables of the parameters of a kernel: numbers, extents, strides and offsets. */
  static List<Var> variables(PrimFunc kernel) {
    Set<Var> variables = new LinkedHashSet<>();
    for (Param param : kernel.params()) {
      switch (param) {
        case Param.OfScalar(Var var) -> variables.add(var);
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

  /** The value of an expression of integers. */
  static long value(PrimExpr expr, List<Var> variables, long[] values) {
    return switch (expr) {
      case IntImm constant -> constant.value();
      case Var var -> values[variables.indexOf(var)];
      case Binary binary ->
          IntegerMath.apply(
              binary.op(),
              binary.a().dtype(),
              value(binary.a(), variables, values),
              value(binary.b(), variables, values));
      case Cast cast ->
          Scalars.cast(cast.value().dtype(), cast.dtype(), value(cast.value(), variables, values));
      case Select select ->
          value(select.condition(), variables, values) != 0
              ? value(select.whenTrue(), variables, values)
              : value(select.whenFalse(), variables, values);
      case Not not -> 1 - value(not.operands().getFirst(), variables, values);
      case Call call when call.op() == Intrinsic.IF_THEN_ELSE ->
          value(
              call.args().get(value(call.args().get(0), variables, values) != 0 ? 1 : 2),
              variables,
              values);
      default -> throw new IllegalStateException("an extent cannot be computed: " + expr);
    };
  }
}
