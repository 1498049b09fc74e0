package org.relaxvm.vmcore.link;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Closure;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Module;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.program.Program;

/** The bytecode functions of a program that is linked to the devices of a virtual machine. */
final class NestedProgram implements Module {
  private final Program program;
  private final Linked linked;

  NestedProgram(Program program, Linked linked) {
    this.program = program;
    this.linked = linked;
  }

  @Override
  public String origin() {
    return program.source();
  }

  @Override
  public Set<String> functionNames() {
    Set<String> names = new LinkedHashSet<>();
    for (FunctionInfo function : program.executable().functions()) {
      if (function.kind() == FunctionKind.VM) {
        names.add(function.name());
      }
    }
    return names;
  }

  @Override
  public Optional<PackedFunc> find(String name) {
    return program
        .executable()
        .functionIndex(name)
        .filter(index -> functionNames().contains(name))
        .map(this::called);
  }

  private PackedFunc called(int index) {
    PackedFunc function = ((Closure) linked.engine().functionValue(index)).target();
    return (args, result) -> {
      waitForDevices(args);
      call(function, args, result);
    };
  }

  /** The call has streams of its own: what the arguments depend on must be done. */
  private static void waitForDevices(CallArgs args) {
    VmContext context = args.contextOrNull();
    if (context == null) {
      return;
    }
    List<Device> devices = context.devices();
    for (int i = 0; i < devices.size(); i++) {
      if (!devices.get(i).isHost()) {
        context.stream(i).synchronize();
      }
    }
  }

  private static void call(PackedFunc function, CallArgs args, CallResult result) {
    function.call(CallArgs.of(args.toArray()), result);
  }

  @Override
  public void close() {
    if (linked.engine().gate().close()) {
      linked.resources().close();
    }
  }
}
