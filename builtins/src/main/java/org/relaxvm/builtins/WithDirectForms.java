package org.relaxvm.builtins;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.engine.CallSite;
import org.relaxvm.api.engine.DirectCall;
import org.relaxvm.api.engine.DirectFunction;

/**
 * A builtin with direct forms.
 *
 * @param general the builtin
 * @param forms gives the form for a call instruction, or null
 */
record WithDirectForms(PackedFunc general, Function<CallSite, @Nullable DirectCall> forms)
    implements DirectFunction {
  @Override
  public @Nullable DirectCall specialize(CallSite site) {
    return forms.apply(site);
  }

  @Override
  public void call(CallArgs args, CallResult result) {
    general.call(args, result);
  }
}
