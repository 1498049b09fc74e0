package org.relaxvm.vmcore.vm;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.vmcore.interp.CallHook;

/** Tells an instrument what the interpreter does. */
record InstrumentHook(Instrument instrument) implements CallHook {
  @Override
  public boolean before(Object callee, String symbol, CallArgs args) {
    return instrument.before(callee, symbol, visible(args)) == Instrument.Action.SKIP;
  }

  @Override
  public void after(Object callee, String symbol, CallArgs args, @Nullable Object result) {
    instrument.after(callee, symbol, visible(args), result);
  }

  /** The arguments as instruments see them: dtypes as text. */
  private static CallArgs visible(CallArgs args) {
    @Nullable Object[] values = args.toArray();
    boolean changed = false;
    for (int i = 0; i < values.length; i++) {
      if (values[i] instanceof DType dtype) {
        values[i] = dtype.toString();
        changed = true;
      }
    }
    return changed ? CallArgs.of(args.contextOrNull(), values) : args;
  }
}
