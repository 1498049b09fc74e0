package org.relaxvm.builtins;

import java.io.PrintStream;
import java.util.Map;
import java.util.function.Supplier;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.text.PythonText;

/** Looking into a running program: printing tensors and calling debug functions. */
final class DebugBuiltins {
  private final Supplier<PrintStream> out;

  DebugBuiltins(Supplier<PrintStream> out) {
    this.out = out;
  }

  Map<String, PackedFunc> functions() {
    return Map.of(
        "vm.builtin.invoke_debug_func", this::invokeDebugFunc,
        "vm.builtin.debug_print", this::debugPrint);
  }

  private void invokeDebugFunc(CallArgs args, CallResult result) {
    if (args.count() < 3) {
      throw new CallException(
          ErrorKind.TYPE,
          "vm.builtin.invoke_debug_func(io_effect, name, line_info, args...) needs at least 3"
              + " arguments, but got "
              + args.count());
    }
    if (!args.isNull(0)) {
      throw new CallException(
              ErrorKind.VALUE,
              "argument #0 of vm.builtin.invoke_debug_func, the effect, must be null, but is "
                  + TypeKeys.describeKey(args.typeKeyAt(0)))
          .withTvmMessage("IOEffect is expected to be lowered to None.");
    }
    String name = args.stringAt(1);
    PackedFunc function =
        args.context().findFunction(name).orElseThrow(() -> debugFunctionMissing(name));
    CallResult ignored = new CallResult();
    try {
      args.context().invoke(function, args.dropFirst(2), ignored);
    } finally {
      // Gives back whatever the function returned.
      ignored.setNull();
    }
  }

  private static CallException debugFunctionMissing(String name) {
    return new CallException(
            ErrorKind.VALUE,
            "there is no debug function '"
                + name
                + "'\n  what to do: register it on the VM's builder or offer it through a"
                + " FunctionProvider")
        .withTvmMessage(
            name
                + " is not found. Use the decorator `@tvm.register_global_func(\""
                + name
                + "\")` to register it.");
  }

  private void debugPrint(CallArgs args, CallResult result) {
    args.requireCount("vm.builtin.debug_print(line_info, tensor)", 2);
    Tensor tensor = args.tensorAt(1);
    out.get()
        .println(
            args.stringAt(0)
                + ": shape = "
                + PythonText.of(tensor.shape())
                + ", dtype = "
                + tensor.dtype()
                + ", data =\n"
                + PythonText.of(tensor, any -> Devices.onHost(args, any)));
  }
}
