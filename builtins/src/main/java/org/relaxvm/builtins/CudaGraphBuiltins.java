package org.relaxvm.builtins;

import java.util.Map;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.events.Events;

/**
 * The functions of programs compiled for CUDA graphs. Nothing is captured: a call that runs the
 * function each time has the same results.
 */
final class CudaGraphBuiltins {
  private CudaGraphBuiltins() {}

  static Map<String, PackedFunc> functions() {
    return Map.of(
        "vm.builtin.cuda_graph.run_or_capture", CudaGraphBuiltins::runOrCapture,
        "vm.builtin.cuda_graph.get_cached_alloc", CudaGraphBuiltins::cachedAlloc);
  }

  private static void runOrCapture(CallArgs args, CallResult result) {
    if (args.count() == 5) {
      args.shapeAt(4);
    } else {
      args.requireCount("vm.builtin.cuda_graph.run_or_capture(vm, func, args, index[, shape])", 4);
    }
    VmContext vm = args.contextAt(0);
    args.longAt(3);
    Events.fallback(
        "capture of a CUDA graph",
        "a call of the captured function each time",
        "CUDA graphs are not captured");
    vm.invoke(args.at(1), CallArgs.of(vm, args.tupleAt(2).fields().toArray()), result);
  }

  private static void cachedAlloc(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.cuda_graph.get_cached_alloc(vm, func, index)", 3);
    VmContext vm = args.contextAt(0);
    Object function = args.at(1);
    CachedAllocations cache = vm.attachment(CachedAllocations.class, CachedAllocations::new);
    cache.find(
        args.longAt(2), made -> vm.invoke(function, CallArgs.of(vm, new Object[0]), made), result);
  }
}
