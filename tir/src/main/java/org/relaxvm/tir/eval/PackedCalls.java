package org.relaxvm.tir.eval;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.engine.AnyList;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.scalar.Scalars;
import org.relaxvm.tir.stmt.AnyListItem;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.LetCall;
import org.relaxvm.tir.stmt.PackedArg;

/** Calls functions of the host. */
final class PackedCalls {
  private final Evaluator evaluator;
  private final Scope scope;
  private final Expressions expressions;

  PackedCalls(Evaluator evaluator, Scope scope, Expressions expressions) {
    this.evaluator = evaluator;
    this.scope = scope;
    this.expressions = expressions;
  }

  /** Makes a call, and puts its result into a list where it says so. */
  void call(CallPacked call) {
    CallResult result = new CallResult();
    try {
      call(call, result);
      call.result()
          .ifPresent(
              cell -> {
                long bits = result.bits();
                list(cell.list()).move(cell.index(), result.takeRef(), bits);
              });
    } finally {
      result.setNull();
    }
  }

  /** The result of a call as the value of a variable, in the form of {@link Scalars}. */
  long value(LetCall let) {
    CallResult result = new CallResult();
    try {
      call(let.call(), result);
      Object ref = result.ref();
      boolean isIntegral = ref == ScalarTag.INT || ref == ScalarTag.BOOL;
      if (isIntegral && let.isIntegral()) {
        boolean isBool = let.var().dtype().equals(DType.BOOL);
        return isBool && result.bits() != 0 ? 1 : result.bits();
      }
      if (isIntegral || (ref == ScalarTag.FLOAT && !let.isIntegral())) {
        double number = isIntegral ? result.bits() : Double.longBitsToDouble(result.bits());
        return Scalars.ofDouble(let.var().dtype(), number);
      }
      throw new CallException(
          ErrorKind.TYPE,
          "the result of "
              + let.call().name()
              + " must be a "
              + let.var().dtype()
              + ", but is "
              + (ref instanceof ScalarTag tag ? tag.box(result.bits()) : ref));
    } finally {
      result.setNull();
    }
  }

  private void call(CallPacked call, CallResult result) {
    PackedFunc function =
        evaluator
            .functions()
            .apply(call.name())
            .orElseThrow(
                () ->
                    new CallException(
                        ErrorKind.VALUE,
                        "there is no packed function "
                            + call.name()
                            + "; give the evaluator a lookup that finds it"));
    List<PackedArg> args = call.args();
    @Nullable Object[] values = new Object[args.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (args.get(i)) {
            case PackedArg.OfBuffer(Buffer buffer) -> tensor(buffer);
            case PackedArg.OfScalar(PrimExpr value) ->
                Scalars.box(value.dtype(), expressions.value(value));
            case PackedArg.OfText(String text) -> text;
            case PackedArg.OfHandle(Handle handle) -> scope.value(handle);
            case PackedArg.OfItem(AnyListItem(Handle list, int index)) -> list(list).get(index);
            case PackedArg.OfNull none -> null;
          };
    }
    function.call(CallArgs.of(scope.contextOrNull(), values), result);
  }

  private AnyList list(Handle handle) {
    if (scope.value(handle) instanceof AnyList list) {
      return list;
    }
    throw new CallException(
        ErrorKind.TYPE,
        "the parameter " + handle + ": expected a list of values, but got " + scope.value(handle));
  }

  private Object tensor(Buffer buffer) {
    BoundBuffer bound = scope.buffer(buffer);
    bound.handOut();
    return bound.tensor();
  }
}
