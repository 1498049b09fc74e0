package org.relaxvm.vmcore.vm;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;

/** An instrument in the form of a packed function. */
record PackedInstrument(PackedFunc function) implements Instrument {
  private static final int FIRST_ARGUMENT = 4;

  @Override
  public Action before(Object callee, String symbol, CallArgs args) {
    CallResult answer = new CallResult();
    try {
      function.call(arguments(callee, symbol, true, null, args), answer);
      Object ref = answer.ref();
      boolean skip = (ref == ScalarTag.INT || ref == ScalarTag.BOOL) && answer.bits() == 1;
      return skip ? Action.SKIP : Action.RUN;
    } finally {
      answer.setNull();
    }
  }

  @Override
  public void after(Object callee, String symbol, CallArgs args, @Nullable Object result) {
    CallResult ignored = new CallResult();
    try {
      function.call(arguments(callee, symbol, false, result, args), ignored);
    } finally {
      ignored.setNull();
    }
  }

  private static CallArgs arguments(
      Object callee, String symbol, boolean before, @Nullable Object result, CallArgs args) {
    @Nullable Object[] values = new Object[FIRST_ARGUMENT + args.count()];
    values[0] = callee;
    values[1] = symbol;
    values[2] = before;
    values[3] = result;
    for (int i = 0; i < args.count(); i++) {
      values[FIRST_ARGUMENT + i] = args.at(i);
    }
    return CallArgs.of(args.contextOrNull(), values);
  }
}
