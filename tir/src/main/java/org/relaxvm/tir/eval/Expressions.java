package org.relaxvm.tir.eval;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.scalar.Scalars;

/** Evaluates expressions to the form of {@link Scalars}. */
final class Expressions {
  private final Scope scope;

  Expressions(Scope scope) {
    this.scope = scope;
  }

  long value(PrimExpr expr) {
    return switch (expr) {
      case IntImm constant -> constant.value();
      case FloatImm constant -> Scalars.ofDouble(constant.dtype(), constant.value());
      case Var var -> scope.value(var);
      case Binary binary -> {
        long a = value(binary.a());
        long b = value(binary.b());
        yield Scalars.binary(binary.op(), binary.a().dtype(), a, b);
      }
      case Not not -> 1 - value(not.a());
      case Select select -> {
        boolean first = isTrue(select.condition());
        long whenTrue = value(select.whenTrue());
        long whenFalse = value(select.whenFalse());
        yield first ? whenTrue : whenFalse;
      }
      case Cast cast -> Scalars.cast(cast.value().dtype(), cast.dtype(), value(cast.value()));
      case BufferLoad(Buffer buffer, List<PrimExpr> indices) ->
          scope.buffer(buffer).load(values(indices));
      case Call call -> call(call);
    };
  }

  boolean isTrue(PrimExpr condition) {
    return value(condition) != 0;
  }

  long[] values(List<PrimExpr> exprs) {
    long[] values = new long[exprs.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(exprs.get(i));
    }
    return values;
  }

  private long call(Call call) {
    List<PrimExpr> args = call.args();
    if (call.op() == Intrinsic.IF_THEN_ELSE) {
      return value(isTrue(args.get(0)) ? args.get(1) : args.get(2));
    }
    long first = value(args.getFirst());
    DType dtype = args.getFirst().dtype();
    return args.size() == 1
        ? Scalars.call(call.op(), dtype, first)
        : Scalars.call(call.op(), dtype, first, value(args.get(1)));
  }
}
