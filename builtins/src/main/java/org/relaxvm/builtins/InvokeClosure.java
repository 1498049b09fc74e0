package org.relaxvm.builtins;

import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.engine.ClosureInvoker;

/** {@code vm.builtin.invoke_closure(vm, callable, args...)}. */
final class InvokeClosure implements ClosureInvoker {
  @Override
  public void call(CallArgs args, CallResult result) {
    args.contextAt(0).invoke(args.at(1), args.dropFirst(2), result);
  }
}
