package org.relaxvm.tir.eval;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.scalar.Scalars;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.PackedArg;

/** Calls functions of the host. What they return is not used. */
final class PackedCalls {
  private final Evaluator evaluator;
  private final Scope scope;
  private final Expressions expressions;

  PackedCalls(Evaluator evaluator, Scope scope, Expressions expressions) {
    this.evaluator = evaluator;
    this.scope = scope;
    this.expressions = expressions;
  }

  void call(CallPacked call) {
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
    List<Object> args = new ArrayList<>();
    for (PackedArg arg : call.args()) {
      args.add(
          switch (arg) {
            case PackedArg.OfBuffer(Buffer buffer) -> tensor(buffer);
            case PackedArg.OfScalar(PrimExpr value) ->
                Scalars.box(value.dtype(), expressions.value(value));
            case PackedArg.OfText(String text) -> text;
          });
    }
    function.invoke(args.toArray()).close();
  }

  private Object tensor(Buffer buffer) {
    BoundBuffer bound = scope.buffer(buffer);
    bound.handOut();
    return bound.tensor();
  }
}
