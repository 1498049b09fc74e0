package org.relaxvm.interoptvm.functions;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Value;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Calls the functions from Java, without kernels, or in a virtual machine that has some. */
enum Caller {
  JAVA {
    @Override
    Value call(String name, @Nullable Object... args) {
      return function(name).invoke(args);
    }
  },

  MACHINE {
    @Override
    Value call(String name, @Nullable Object... args) {
      CallResult result = new CallResult();
      PackedFunc run =
          (outer, _) -> function(name).call(CallArgs.of(outer.context(), args), result);
      Program program =
          Program.of(Assembler.parse("@main():\n  call test.run dst: %0\n  ret %0\n"));
      try (VirtualMachine vm =
          VirtualMachine.builder(program).device("cpu").function("test.run", run).build()) {
        vm.function("main").call().close();
      }
      return result.takeValue();
    }
  };

  private final RuntimeFunctions functions = new RuntimeFunctions();

  PackedFunc function(String name) {
    return functions.find(name).orElseThrow(() -> new AssertionError("no function " + name));
  }

  abstract Value call(String name, @Nullable Object... args);
}
