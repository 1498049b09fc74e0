package org.relaxvm.vmcore.interp;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.vmcore.decode.DecodedProgram;

/** Calls under an instrument. {@link Run#args} points at the call's arguments. */
final class Hooked {
  private Hooked() {}

  static void call(CallHook hook, DecodedProgram program, Run run, int callee) {
    if (skips(hook, program, run, callee)) {
      return;
    }
    CallArgs args = run.args;
    PackedFunc function = program.packed()[callee];
    if (function != null) {
      function.call(args, run.result);
    }
    after(hook, program, run, callee, run.result.ref(), run.result.bits());
  }

  static boolean skips(CallHook hook, DecodedProgram program, Run run, int callee) {
    return hook.before(program.functionValue(callee), program.functionName(callee), run.args);
  }

  static void after(
      CallHook hook, DecodedProgram program, Run run, int callee, @Nullable Object ref, long bits) {
    Object result = ref instanceof ScalarTag tag ? tag.box(bits) : ref;
    hook.after(program.functionValue(callee), program.functionName(callee), run.args, result);
  }
}
