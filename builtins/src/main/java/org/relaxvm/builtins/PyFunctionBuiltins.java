package org.relaxvm.builtins;

import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * Functions that the embedding application registers under a name and a program calls by it. TVM
 * calls them Python functions; here they are any packed functions. Thread-safe.
 */
final class PyFunctionBuiltins {
  private final Map<String, PackedFunc> registered = new ConcurrentHashMap<>();

  Map<String, PackedFunc> functions() {
    return Map.of(
        "vm.builtin.call_py_func", this::call,
        "vm.builtin.register_py_func", this::register,
        "vm.builtin.get_py_func", this::find,
        "vm.builtin.clear_py_func_registry", this::clear);
  }

  private void call(CallArgs args, CallResult result) {
    if (args.count() != 1) {
      throw new CallException(
              ErrorKind.INTERNAL,
              "vm.builtin.call_py_func((name, args)) takes 1 argument, but got " + args.count())
          .withTvmMessage("vm.builtin.call_py_func expects exactly 1 argument (tuple)");
    }
    Tuple call = args.tupleAt(0);
    if (call.size() != 2
        || !(call.get(0) instanceof String name)
        || !(call.get(1) instanceof Tuple values)) {
      throw new CallException(
              ErrorKind.INTERNAL,
              "the argument of vm.builtin.call_py_func must be a tuple of a name and a tuple of"
                  + " arguments, but is "
                  + call)
          .withTvmMessage("vm.builtin.call_py_func tuple should contain (func_name, args)");
    }
    Callables.call(args, require(name), Callables.fieldsOf(args, values), result);
  }

  private void register(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.register_py_func(name, func)", 2);
    if (!(args.ref(1) instanceof PackedFunc function)) {
      throw args.mismatch(1, "ffi.Function");
    }
    registered.put(args.stringAt(0), function);
  }

  private void find(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.get_py_func(name)", 1);
    result.set(require(args.stringAt(0)));
  }

  private void clear(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.clear_py_func_registry()", 0);
    registered.clear();
  }

  private PackedFunc require(String name) {
    PackedFunc function = registered.get(name);
    if (function == null) {
      throw new CallException(
              ErrorKind.INTERNAL,
              "no Python function '"
                  + name
                  + "' is registered\n  registered: "
                  + new TreeSet<>(registered.keySet())
                  + "\n  what to do: register it with vm.builtin.register_py_func")
          .withTvmMessage("Python function '" + name + "' not found in registry");
    }
    return function;
  }
}
