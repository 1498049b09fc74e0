package org.relaxvm.builtins;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.params.ParamModule;
import org.relaxvm.builtins.params.TensorCache;

/** Parameters of a program, taken from the tensor cache all at once. */
final class ParamBuiltins {
  private final TensorCache cache;

  ParamBuiltins(TensorCache cache) {
    this.cache = cache;
  }

  Map<String, PackedFunc> functions() {
    return Map.of(
        "vm.builtin.param_array_from_cache",
        (args, result) -> result.set(numbered("param_array_from_cache", args)),
        "vm.builtin.param_array_from_cache_by_name",
        (args, result) -> result.set(byName("param_array_from_cache_by_name", args)),
        "vm.builtin.param_array_from_cache_by_name_unpacked",
        (args, result) -> result.set(named(args.toArray())),
        "vm.builtin.param_module_from_cache",
        (args, result) -> setModule(numbered("param_module_from_cache", args), result),
        "vm.builtin.param_module_from_cache_by_name",
        (args, result) -> setModule(byName("param_module_from_cache_by_name", args), result));
  }

  private Tuple numbered(String function, CallArgs args) {
    args.requireCount("vm.builtin." + function + "(prefix, num_params)", 2);
    return cache.numbered(args.stringAt(0), args.longAt(1));
  }

  private Tuple byName(String function, CallArgs args) {
    args.requireCount("vm.builtin." + function + "(names)", 1);
    return named(args.tupleAt(0).fields().toArray());
  }

  private Tuple named(@Nullable Object[] values) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      if (!(values[i] instanceof String name)) {
        throw new CallException(
                ErrorKind.VALUE,
                "the name of parameter "
                    + i
                    + " must be a string, but is "
                    + TypeKeys.describe(values[i]))
            .withTvmMessage(
                "Expect string as input, but get " + TypeKeys.of(values[i]) + " at " + i);
      }
      names.add(name);
    }
    return cache.named(names);
  }

  private static void setModule(Tuple params, CallResult result) {
    try {
      result.set(new ParamModule(params));
    } finally {
      params.release();
    }
  }
}
