package org.relaxvm.integrationtests.differential;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.CallArgs;
import org.relaxvm.vmcore.vm.VmBuilder;

/** What generated programs call on the VM's side; remembers the calls. */
final class HostFunctions {
  /** The names, all of which a program may call. */
  static final List<String> NAMES = List.of("host.record", "host.add", "host.less", "host.divide");

  private final List<String> calls = new ArrayList<>();

  /** The calls in their order, with their arguments. */
  List<String> calls() {
    return calls;
  }

  void register(VmBuilder builder) {
    builder
        .function("host.record", (args, result) -> note("host.record", args))
        .function(
            "host.add",
            (args, result) -> {
              note("host.add", args);
              result.setLong(args.longAt(0) + args.longAt(1));
            })
        .function(
            "host.less",
            (args, result) -> {
              note("host.less", args);
              result.setBoolean(args.longAt(0) < args.longAt(1));
            })
        .function(
            "host.divide",
            (args, result) -> {
              note("host.divide", args);
              long dividend = args.longAt(0);
              long divisor = args.longAt(1);
              if (divisor == 0) {
                // The JVM's own exception loses its message once the code is hot.
                throw new ArithmeticException("/ by zero");
              }
              result.setLong(dividend / divisor);
            });
  }

  private void note(String name, CallArgs args) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < args.count(); i++) {
      texts.add(Rendering.ofProduct(args.at(i)));
    }
    calls.add(name + texts);
  }
}
