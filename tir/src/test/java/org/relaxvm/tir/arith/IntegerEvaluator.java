package org.relaxvm.tir.arith;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.IntegerMath;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;

/** Computes integers and booleans. Elements of a buffer are small numbers made of the indices. */
final class IntegerEvaluator {
  private final Map<Var, Long> values;

  IntegerEvaluator(Map<Var, Long> values) {
    this.values = values;
  }

  long evaluate(PrimExpr expr) {
    return switch (expr) {
      case IntImm imm -> imm.value();
      case Var var -> Objects.requireNonNull(values.get(var));
      case Binary binary ->
          IntegerMath.apply(
              binary.op(), binary.a().dtype(), evaluate(binary.a()), evaluate(binary.b()));
      case Not not -> 1 - evaluate(not.a());
      case Select select -> {
        long condition = evaluate(select.condition());
        long whenTrue = evaluate(select.whenTrue());
        long whenFalse = evaluate(select.whenFalse());
        yield condition != 0 ? whenTrue : whenFalse;
      }
      case Cast cast -> {
        long value = evaluate(cast.value());
        yield cast.dtype().equals(DType.BOOL)
            ? Math.min(1, Math.abs(value))
            : IntegerMath.wrap(cast.dtype(), value);
      }
      case BufferLoad load -> {
        long sum = 3;
        for (PrimExpr index : load.indices()) {
          sum = sum * 31 + evaluate(index);
        }
        yield IntegerMath.wrap(load.dtype(), Math.floorMod(sum, 97));
      }
      case Call call -> evaluate(call.op(), call.args());
      default -> throw new AssertionError("not an integer: " + expr);
    };
  }

  private long evaluate(Intrinsic op, List<PrimExpr> args) {
    return switch (op) {
      case IF_THEN_ELSE -> evaluate(args.get(evaluate(args.getFirst()) != 0 ? 1 : 2));
      case ABS -> Math.abs(evaluate(args.getFirst()));
      case BITWISE_AND -> evaluate(args.get(0)) & evaluate(args.get(1));
      default -> throw new AssertionError("not known here: " + op);
    };
  }
}
