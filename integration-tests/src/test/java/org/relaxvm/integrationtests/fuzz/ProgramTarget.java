package org.relaxvm.integrationtests.fuzz;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.ExecutableWriter;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.AsJava;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.text.ExecutableText;
import org.relaxvm.vmcore.text.FullText;
import org.relaxvm.vmcore.text.Stats;
import org.relaxvm.vmcore.vm.Limits;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/** Prints, links and runs programs that passed the verifier. */
final class ProgramTarget {
  private static final int MOST_INSTRUCTIONS = 5_000;
  private static final int MOST_DEPTH = 500;
  private static final long MOST_STACK_BYTES = 1 << 22;
  private static final long MOST_DEVICE_BYTES = 1 << 24;
  private static final int MOST_CALLS = 6;
  private static final int MOST_ARGUMENTS = 64;

  private final BackendRegistry registry;

  ProgramTarget(BackendRegistry registry) {
    this.registry = registry;
  }

  Outcome run(Program program) {
    print(program.executable());
    refuseMissingFunctions(program);
    VirtualMachine vm;
    try {
      vm = complete(program).build();
    } catch (LinkException e) {
      FileTarget.requireUseful(e);
      return Outcome.REFUSED_BY_LINKER;
    }
    try (vm) {
      program.executable().functions().stream()
          .filter(function -> function.kind() != FunctionKind.PACKED)
          .limit(MOST_CALLS)
          .forEach(function -> call(vm, function));
      requireNothingHeld(vm);
    }
    return Outcome.RAN;
  }

  private static void print(Executable executable) {
    ExecutableWriter.write(executable);
    ExecutableText.asText(executable);
    ExecutableText.asPython(executable);
    Stats.corrected(executable);
    try {
      // The text leaves out fields that mean nothing, and some programs have none.
      String text = FullText.print(executable);
      Executable again = Assembler.parse(text);
      if (!Arrays.equals(executable.words(), again.words())
          || !FullText.print(again).equals(text)) {
        throw new IllegalStateException("the text form is another program");
      }
      AsJava.asJava(executable, "Damaged");
    } catch (RelaxException e) {
      FileTarget.requireUseful(e);
    }
  }

  private void refuseMissingFunctions(Program program) {
    try (VirtualMachine vm = bare(program).build()) {
      vm.placement();
    } catch (LinkException e) {
      FileTarget.requireUseful(e);
    }
  }

  private VmBuilder bare(Program program) {
    return VirtualMachine.builder(program)
        .registry(registry)
        .limits(
            Limits.defaults()
                .withMaxInstructions(MOST_INSTRUCTIONS)
                .withMaxDepth(MOST_DEPTH)
                .withMaxStackBytes(MOST_STACK_BYTES)
                .withMemoryBudget(MOST_DEVICE_BYTES));
  }

  /** With a function for every name that nobody has. */
  private VmBuilder complete(Program program) {
    VmBuilder builder = bare(program);
    for (String name : program.requiredFunctions()) {
      if (registry.findFunction(name).isEmpty()) {
        builder
            .function(name, ProgramTarget::harmless)
            .function("__vmtir__" + name, ProgramTarget::harmless);
      }
    }
    return builder;
  }

  /** Gives the last argument back, if there is one. */
  private static void harmless(CallArgs args, CallResult result) {
    int count = args.count();
    if (count > 0 && args.ref(count - 1) instanceof VmContext) {
      result.setLong(count);
    } else if (count > 0) {
      result.setArgument(args, count - 1);
    }
  }

  private static void call(VirtualMachine vm, FunctionInfo function) {
    int count = (int) Math.min(MOST_ARGUMENTS, function.numArgs());
    try (Tensor matrix = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));
        Tensor flag = Tensor.scalar(1L);
        Tuple pair = Tuple.of(matrix, flag)) {
      List<Object> choices = List.of(matrix, 2L, pair, flag, Shape.of(2, 3), "text");
      for (int round = 0; round < 2; round++) {
        @Nullable Object[] args = new Object[count];
        for (int i = 0; i < count; i++) {
          args[i] = choices.get((round + i * round) % choices.size());
        }
        try (Value result = vm.function(function.name()).call(args)) {
          requireText(result);
        } catch (RelaxException e) {
          FileTarget.requireUseful(e);
        }
      }
    }
  }

  private static void requireText(Value result) {
    if (result.toString().isEmpty() && !(result.object() instanceof String)) {
      throw new IllegalStateException("a result without a text");
    }
  }

  /** After calls that failed too, nothing of theirs is held. */
  private static void requireNothingHeld(VirtualMachine vm) {
    long held = vm.memoryStats().getFirst().liveBlocks();
    if (held != 0) {
      throw new IllegalStateException(held + " blocks are held after all calls have ended");
    }
  }
}
