package org.relaxvm.api.engine;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;

/**
 * A packed function with specialized forms for call instructions. An engine asks once for each
 * instruction; {@link #call} serves every other caller.
 */
public interface DirectFunction extends PackedFunc {
  /** The form for a call instruction; null where there is only the general one. */
  @Nullable DirectCall specialize(CallSite site);
}
