package org.relaxvm.builtins;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Closure;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Closures and calls whose arguments come from a shape. */
final class ClosureBuiltins {
  private ClosureBuiltins() {}

  static Map<String, PackedFunc> functions() {
    return Map.of(
        "vm.builtin.make_closure", ClosureBuiltins::makeClosure,
        "vm.builtin.invoke_closure", new InvokeClosure(),
        "vm.builtin.call_tir_dyn", ClosureBuiltins::callTirDyn);
  }

  private static void makeClosure(CallArgs args, CallResult result) {
    if (!(args.ref(0) instanceof Closure closure)) {
      throw args.mismatch(0, "relax.vm.Closure");
    }
    result.set(closure.bind(args.toArray(1)));
  }

  private static void callTirDyn(CallArgs args, CallResult result) {
    int shapeIndex = args.count() - 1;
    if (shapeIndex < 1) {
      throw new CallException(
          ErrorKind.TYPE,
          "vm.builtin.call_tir_dyn(func, args..., shape) needs a function and a shape, but got "
              + args.count()
              + " arguments");
    }
    Shape shape = args.shapeAt(shapeIndex);
    int given = shapeIndex - 1;
    @Nullable Object[] refs = new Object[given + shape.rank()];
    long[] bits = new long[refs.length];
    for (int i = 0; i < given; i++) {
      refs[i] = args.ref(i + 1);
      bits[i] = args.bits(i + 1);
    }
    for (int i = 0; i < shape.rank(); i++) {
      refs[given + i] = ScalarTag.INT;
      bits[given + i] = shape.dim(i);
    }
    CallArgs expanded = CallArgs.ofTagged(args.contextOrNull(), refs, bits);
    Callables.call(args, args.at(0), expanded, result);
  }
}
