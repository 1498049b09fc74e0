package org.relaxvm.interoprelay.proposal.interp;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;

/**
 * What closures of the interpreter call. A closure gives its bound values last, and the function
 * wants them first.
 *
 * @param interpreter that made the closure
 * @param function index
 * @param bound the number of bound values
 */
record BoundFirst(RelayInterpreter interpreter, int function, int bound) implements PackedFunc {
  @Override
  public void call(CallArgs args, CallResult result) {
    int given = args.count() - bound;
    @Nullable Object[] values = new Object[args.count()];
    for (int i = 0; i < values.length; i++) {
      values[i] = args.at(i < bound ? given + i : i - bound);
    }
    result.set(interpreter.run(function, values));
  }
}
