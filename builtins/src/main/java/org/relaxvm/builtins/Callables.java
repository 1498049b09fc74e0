package org.relaxvm.builtins;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tuple;

/** Calls a value that may be a packed function or a closure. */
final class Callables {
  private Callables() {}

  /**
   * Calls {@code callee}; a closure needs the VM that {@code call}, the call under way, is in. The
   * VM bounds how deep such calls nest.
   */
  static void call(CallArgs call, @Nullable Object callee, CallArgs args, CallResult result) {
    if (callee instanceof PackedFunc function && call.contextOrNull() == null) {
      function.call(args, result);
    } else {
      call.context().invoke(callee, args, result);
    }
  }

  /** The fields of a tuple as arguments. */
  static CallArgs fieldsOf(CallArgs call, Tuple fields) {
    return CallArgs.of(call.contextOrNull(), fields.fields().toArray());
  }
}
