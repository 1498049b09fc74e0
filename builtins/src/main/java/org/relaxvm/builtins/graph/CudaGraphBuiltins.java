package org.relaxvm.builtins.graph;

import java.util.Map;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.VmContext;

/**
 * The functions of programs compiled for CUDA graphs. Where the main device records work, the
 * function is called the first time and recorded; later its work is submitted as a whole. Elsewhere
 * it is called each time, with the same results.
 */
public final class CudaGraphBuiltins {
  private CudaGraphBuiltins() {}

  /** The functions by their names. */
  public static Map<String, PackedFunc> functions() {
    return Map.of(
        "vm.builtin.cuda_graph.run_or_capture", CudaGraphBuiltins::runOrCapture,
        "vm.builtin.cuda_graph.get_cached_alloc", CudaGraphBuiltins::cachedAlloc);
  }

  private static void runOrCapture(CallArgs args, CallResult result) {
    Shape shape = null;
    if (args.count() == 5) {
      shape = args.shapeAt(4);
    } else {
      args.requireCount("vm.builtin.cuda_graph.run_or_capture(vm, func, args, index[, shape])", 4);
    }
    VmContext vm = args.contextAt(0);
    CudaGraphs.Key key = new CudaGraphs.Key(args.longAt(3), shape);
    if (vm.canRecord(0)) {
      vm.attachment(CudaGraphs.class, CudaGraphs::new)
          .run(vm, key, args.at(1), args.tupleAt(2), result);
    } else {
      CudaGraphs.fallback(vm.devices().getFirst() + " records no work here");
      CudaGraphs.call(vm, args.at(1), args.tupleAt(2), result);
    }
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
