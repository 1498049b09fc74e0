package org.relaxvm.integrationtests.programs;

import java.util.List;
import java.util.function.Consumer;
import org.relaxvm.api.Value;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.compiler.eval.RelaxEvaluator;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/**
 * Runs {@code main} of programs in the evaluator and in virtual machines.
 *
 * @param registry shared by the machines
 */
record Runner(BackendRegistry registry, String device) {
  static Object evaluate(IRModule module, List<Object> args) {
    return new RelaxEvaluator(module, HostFunctions.forEvaluator()).run("main", args.toArray());
  }

  /** A machine for a program; {@code settings} chooses how it is executed. */
  VirtualMachine machine(Program program, Consumer<VmBuilder> settings) {
    VmBuilder builder = VirtualMachine.builder(program).registry(registry).device(device);
    settings.accept(builder);
    HostFunctions.forVm().forEach(builder::function);
    return builder.build();
  }

  /** Runs a program and compares its result with one that is expected. */
  static void run(VirtualMachine vm, List<Object> args, Object expected, Agreement agreement) {
    try (Value value = vm.function("main").call(args.toArray())) {
      agreement.check(expected, value.object());
    }
  }
}
