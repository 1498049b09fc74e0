package org.relaxvm.integrationtests.robustness;

import org.relaxvm.api.Value;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.Limits;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * Programs that grow a tuple, a chain of closures or the stack of registers until the Java heap is
 * full, each frame or field with a tensor. For a JVM of its own with a small heap.
 */
final class GrowingPrograms {
  private static final String TEXT =
      """
      relaxvm-text 1
      @tensor():
        call vm.builtin.alloc_shape_heap in: %vm, i1 dst: %0
        ret %0
      @small():
        call vm.builtin.copy in: i42 dst: %0
        ret %0
      @tuple():
        call tensor in: dst: %0
      again:
        call vm.builtin.make_tuple in: %0, %0 dst: %0
        goto again
        ret %0
      @closure():
        call tensor in: dst: %0
      again:
        call vm.builtin.make_closure in: f[small], %0 dst: %0
        call vm.builtin.make_closure in: f[small], %0 dst: %0
        goto again
        ret %0
      @stack(x):
        call vm.builtin.make_tuple in: %0 dst: %1
        call stack in: %1 dst: %1
        ret %1
      @main():
        call tensor in: dst: %0
        call stack in: %0 dst: %0
        ret %0
      """;

  private GrowingPrograms() {}

  /** Prints what happened to each program. */
  public static void main(String[] arguments) {
    try (BackendRegistry registry =
            BackendRegistry.builder()
                .add(new CpuBackendProvider())
                .add(new BuiltinFunctions())
                .build();
        VirtualMachine vm =
            VirtualMachine.builder(Program.of(Assembler.parse(TEXT)))
                .registry(registry)
                .limits(
                    Limits.defaults()
                        .withMaxDepth(Integer.MAX_VALUE)
                        .withMaxStackBytes(Long.MAX_VALUE))
                .build()) {
      for (String function : arguments) {
        System.out.println(function + ": " + outcome(vm, function));
        long live = vm.memoryStats().getFirst().liveBlocks();
        long answer = answer(vm);
        if (live != 0 || answer != 42) {
          throw new AssertionError(
              "after " + function + ": " + live + " blocks in use, and the answer is " + answer);
        }
      }
    }
  }

  private static String outcome(VirtualMachine vm, String function) {
    try (Value result = vm.function(function).call()) {
      return "ended with " + result;
    } catch (OutOfMemoryError e) {
      return "OutOfMemoryError";
    }
  }

  private static long answer(VirtualMachine vm) {
    try (Value answer = vm.function("small").call()) {
      return answer.asLong();
    }
  }
}
