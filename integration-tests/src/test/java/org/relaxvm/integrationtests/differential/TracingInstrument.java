package org.relaxvm.integrationtests.differential;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.vmcore.vm.Instrument;

/** Notes every call of a program before it is made and after it has returned. */
final class TracingInstrument implements Instrument {
  private final List<String> trace = new ArrayList<>();

  /** The notes in their order. */
  List<String> trace() {
    return trace;
  }

  @Override
  public Action before(Object function, String symbol, CallArgs args) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < args.count(); i++) {
      texts.add(Rendering.ofProduct(args.at(i)));
    }
    trace.add(symbol + texts);
    return Action.RUN;
  }

  @Override
  public void after(Object function, String symbol, CallArgs args, @Nullable Object result) {
    trace.add(symbol + " gave " + Rendering.ofProduct(result));
  }
}
