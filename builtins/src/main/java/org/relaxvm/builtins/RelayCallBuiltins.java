package org.relaxvm.builtins;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Closure;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * Calls and control of the Relay VM that Relax bytecode has no instructions for.
 *
 * <p>Source: docs/spec/relay-register-vm.md, sections 4, 5.2, 9 and 15.2.
 */
final class RelayCallBuiltins {
  private RelayCallBuiltins() {}

  static Map<String, PackedFunc> functions() {
    return Map.of(
        "vm.builtin.phi", RelayCallBuiltins::phi,
        "vm.builtin.fatal", RelayCallBuiltins::fatal,
        "vm.builtin.call_flat", RelayCallBuiltins::callFlat,
        "vm.builtin.tail_request", RelayCallBuiltins::tailRequest,
        "vm.builtin.is_tail_request", RelayCallBuiltins::isTailRequest,
        "vm.builtin.tail_closure", RelayCallBuiltins::tailClosure);
  }

  private static void phi(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.phi(a, b)", 2);
    boolean first = !args.isNull(0);
    boolean second = !args.isNull(1);
    if (first == second && !(first && isSame(args))) {
      throw new CallException(
          ErrorKind.RUNTIME,
          (first ? "both operands of a phi are defined" : "no operand of a phi is defined")
              + "\n  expected: exactly one, the one that the executed path assigned");
    }
    result.setArgument(args, first ? 0 : 1);
  }

  @SuppressWarnings("ReferenceEquality") // one object under two names is one value
  private static boolean isSame(CallArgs args) {
    Object ref = args.ref(0);
    return ref == args.ref(1) && (!(ref instanceof ScalarTag) || args.bits(0) == args.bits(1));
  }

  private static void fatal(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.fatal(message)", 1);
    throw new CallException(ErrorKind.RUNTIME, args.stringAt(0));
  }

  private static void callFlat(CallArgs args, CallResult result) {
    if (args.count() < 2) {
      throw new CallException(
          ErrorKind.TYPE,
          "vm.builtin.call_flat(func, outputs, args...) needs a function and the number of its"
              + " outputs, but got "
              + args.count()
              + (args.count() == 1 ? " argument" : " arguments"));
    }
    int last = args.count() - 1;
    boolean isEmpty =
        args.longAt(1) == 1
            && last >= 2
            && args.ref(last) instanceof Tensor output
            && output.elementCount() == 0;
    if (!isEmpty) {
      CallArgs flat = CallArgs.of(args.contextOrNull(), flattened(args));
      Callables.call(args, args.at(0), flat, result);
    }
  }

  private static @Nullable Object[] flattened(CallArgs args) {
    List<@Nullable Object> flat = new ArrayList<>();
    for (int i = 2; i < args.count(); i++) {
      if (args.ref(i) instanceof Tuple tuple) {
        for (Object field : tuple.fields()) {
          if (field instanceof Tuple) {
            throw new CallException(
                ErrorKind.TYPE,
                "argument #"
                    + (i - 2)
                    + " of a kernel is a tuple with a tuple in it: "
                    + tuple
                    + "\n  expected: a tensor, or a tuple of tensors");
          }
          flat.add(field);
        }
      } else {
        flat.add(args.at(i));
      }
    }
    return flat.toArray();
  }

  private static void tailRequest(CallArgs args, CallResult result) {
    if (!(args.ref(0) instanceof Closure closure)) {
      throw args.mismatch(0, "relax.vm.Closure");
    }
    result.set(new TailRequest(closure.bind(args.toArray(1))));
  }

  private static void isTailRequest(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.is_tail_request(x)", 1);
    result.setBoolean(args.ref(0) instanceof TailRequest);
  }

  private static void tailClosure(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.tail_closure(request)", 1);
    if (!(args.ref(0) instanceof TailRequest request)) {
      throw args.mismatch(0, "tail request");
    }
    Closure call = request.call();
    call.retain();
    result.set(call);
  }
}
