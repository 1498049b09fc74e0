package org.relaxvm.vmcore.vm;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.PackedFunc;

/**
 * Observes every call instruction of a program and may skip it.
 *
 * <p>Arguments of kind dtype are seen as their text; the function that is called gets the original.
 * An exception thrown here ends the call of the program and reaches its caller.
 *
 * <p>Called in the thread of the call, so from many threads at once when the VM is. Source:
 * docs/spec/vm-semantics.md, section 8.
 */
public interface Instrument {
  /** What to do with a call. */
  enum Action {
    /** Makes the call. */
    RUN,
    /** Leaves the call out: its result is null, and {@link #after} is not called. */
    SKIP
  }

  /**
   * Before a call.
   *
   * @param function what is called: a {@link PackedFunc} or a {@link org.relaxvm.api.Closure}
   * @param symbol its name in the program's function table
   * @param args the arguments, borrowed; {@code %vm} is a {@link org.relaxvm.api.VmContext}
   */
  Action before(Object function, String symbol, CallArgs args);

  /**
   * After a call that was made and did not fail.
   *
   * @param result the result, borrowed, a scalar boxed
   */
  default void after(Object function, String symbol, CallArgs args, @Nullable Object result) {}

  /**
   * An instrument over a packed function {@code (function, symbol, before, result, args...)}, as
   * Apache TVM has it: it is called before (with a null result) and after each call; the integer 1
   * or true, returned before, skips the call.
   */
  static Instrument of(PackedFunc function) {
    return new PackedInstrument(function);
  }
}
