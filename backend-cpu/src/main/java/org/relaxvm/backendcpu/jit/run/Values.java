package org.relaxvm.backendcpu.jit.run;

import java.lang.foreign.ValueLayout;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.IntegerMath;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.scalar.IntegerFunctions;

/** Expressions of integers without loads, and variables, as Java code. */
final class Values {
  private Values() {}

  /** Whether Java computes an expression. */
  static boolean computes(PrimExpr expr) {
    return expr instanceof Var
        || (isIntegral(expr) && expr.operands().stream().allMatch(Values::computesIntegral));
  }

  private static boolean computesIntegral(PrimExpr expr) {
    return isIntegral(expr) && computes(expr);
  }

  private static boolean isIntegral(PrimExpr expr) {
    boolean isKnown =
        switch (expr) {
          case IntImm _, Var _, Binary _, Not _, Select _, Cast _, Call _ -> true;
          default -> false;
        };
    return isKnown && DTypes.isIntegral(expr.dtype());
  }

  /**
   * The value of an expression.
   *
   * @throws ArithmeticException when it is computed, for a division by 0
   */
  static Value of(PrimExpr expr, BlockLayout layout) {
    return switch (expr) {
      case IntImm constant -> {
        long value = constant.value();
        yield _ -> value;
      }
      case Var var -> {
        int offset = layout.offset(var);
        yield block -> block.get(ValueLayout.JAVA_LONG, offset);
      }
      case Binary(BinaryOp op, PrimExpr a, PrimExpr b) ->
          binary(op, a.dtype(), of(a, layout), of(b, layout));
      case Not(PrimExpr a) -> {
        Value value = of(a, layout);
        yield block -> 1 - value.in(block);
      }
      case Select(PrimExpr condition, PrimExpr a, PrimExpr b) ->
          choice(of(condition, layout), of(a, layout), of(b, layout));
      case Cast(DType to, PrimExpr a) -> cast(to, of(a, layout));
      case Call call ->
          call(call.op(), call.dtype(), call.args().stream().map(arg -> of(arg, layout)).toList());
      default -> throw new IllegalStateException("Java does not compute " + expr);
    };
  }

  private static Value binary(BinaryOp op, DType dtype, Value a, Value b) {
    return switch (op) {
      case DIV, MOD, FLOOR_DIV, FLOOR_MOD ->
          block -> {
            long dividend = a.in(block);
            long divisor = b.in(block);
            if (divisor == 0) {
              throw new ArithmeticException("/ by zero");
            }
            return IntegerMath.apply(op, dtype, dividend, divisor);
          };
      default -> block -> IntegerMath.apply(op, dtype, a.in(block), b.in(block));
    };
  }

  private static Value choice(Value condition, Value a, Value b) {
    return block -> (condition.in(block) != 0 ? a : b).in(block);
  }

  private static Value cast(DType to, Value value) {
    return to.equals(DType.BOOL)
        ? block -> value.in(block) != 0 ? 1 : 0
        : block -> IntegerMath.wrap(to, value.in(block));
  }

  private static Value call(Intrinsic op, DType dtype, List<Value> args) {
    Value first = args.getFirst();
    if (op == Intrinsic.IF_THEN_ELSE) {
      return choice(first, args.get(1), args.get(2));
    }
    if (args.size() == 1) {
      return block -> IntegerFunctions.apply(op, dtype, first.in(block));
    }
    Value second = args.get(1);
    return block -> IntegerFunctions.apply(op, dtype, first.in(block), second.in(block));
  }
}
