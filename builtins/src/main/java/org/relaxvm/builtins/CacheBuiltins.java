package org.relaxvm.builtins;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.params.TensorCache;

/** Loading parameters and keeping them by name, under the present and the older spelling. */
final class CacheBuiltins {
  private static final int CPU_TYPE = 1;

  private final TensorCache cache;

  CacheBuiltins(TensorCache cache) {
    this.cache = cache;
  }

  Map<String, PackedFunc> functions() {
    Map<String, PackedFunc> functions = new HashMap<>();
    for (String prefix : new String[] {"vm.builtin.tensor_cache.", "vm.builtin.ndarray_cache."}) {
      functions.put(prefix + "load", this::load);
      functions.put(prefix + "get", this::get);
      functions.put(prefix + "update", this::update);
      functions.put(prefix + "remove", this::remove);
      functions.put(prefix + "clear", this::clear);
    }
    return functions;
  }

  private void load(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.tensor_cache.load(dir, device_type, device_id)", 3);
    Path directory = path(args.stringAt(0));
    long type = args.longAt(1);
    long ordinal = args.longAt(2);
    VmContext vm = args.contextOrNull();
    // The host needs no VM: the files themselves are the memory.
    if (type == CPU_TYPE && ordinal == 0) {
      cache.load(directory);
    } else if (vm != null) {
      int index = Devices.indexOf(vm, type, ordinal);
      cache.load(directory, tensor -> Devices.copyTo(vm, tensor, index, "global"));
    } else {
      throw new CallException(
          ErrorKind.VALUE,
          "outside of a VM parameters can be loaded to the host only, which has type 1 and id 0,"
              + " but got type "
              + type
              + " and id "
              + ordinal);
    }
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new CallException(
          ErrorKind.VALUE, "cannot load parameters: not a folder name: " + e.getReason(), e);
    }
  }

  private void get(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.tensor_cache.get(name)", 1);
    result.set(cache.find(args.stringAt(0)));
  }

  private void update(CallArgs args, CallResult result) {
    boolean replace = false;
    if (args.count() == 3) {
      replace = args.booleanAt(2);
    } else {
      args.requireCount("vm.builtin.tensor_cache.update(name, tensor[, override])", 2);
    }
    cache.update(args.stringAt(0), args.tensorAt(1), replace);
  }

  private void remove(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.tensor_cache.remove(name)", 1);
    cache.remove(args.stringAt(0));
  }

  private void clear(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.tensor_cache.clear()", 0);
    cache.clear();
  }
}
