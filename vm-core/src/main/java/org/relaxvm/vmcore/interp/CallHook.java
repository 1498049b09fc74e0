package org.relaxvm.vmcore.interp;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;

/** What the interpreter tells an instrument around every call instruction. */
public interface CallHook {
  /**
   * Before a call.
   *
   * @param callee the packed function or closure that is called
   * @return whether to skip the call, whose result is then null
   */
  boolean before(Object callee, String symbol, CallArgs args);

  /** After a call that was made; the result is borrowed, a scalar boxed. */
  void after(Object callee, String symbol, CallArgs args, @Nullable Object result);
}
