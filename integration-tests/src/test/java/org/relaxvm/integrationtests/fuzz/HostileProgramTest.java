package org.relaxvm.integrationtests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.Limits;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * Small programs that ask for very much: what they do is bounded, or refused with a typed error.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileProgramTest {
  /** Repeats {@code step}, which changes {@code %1}, as often as {@code main} is told. */
  private static final String LOOP =
      """
      relaxvm-text 1
      @id(x):
        ret %%0
      @main(n):
        call vm.builtin.copy in: %s dst: %%1
      again:
        if %%0 done
        call %s dst: %%1
        call host.add in: %%0, i-1 dst: %%0
        goto again
      done:
        %s
        ret %%1
      """;

  private static final String NOTHING = "call vm.builtin.null_value in: dst: %2";
  private static final String DOUBLE = "vm.builtin.make_tuple in: %1, %1";
  private static final String NEST = "vm.builtin.make_tuple in: %1";
  private static final String PRINT = "call relax.run.print in: c[0], %1 dst: %2";

  private static final String TOO_LARGE =
      """
      a tuple is too large to be given out
        expected: at most 1048576 values in it and in the tuples that it holds, each counted as often\
       as it is reached\
      """;
  private static final String TOO_LONG =
      """
      a tuple is too large to be printed
        expected: tuples nested at most 100 deep, with a text of at most 4194304 characters
        at function main, pc \
      """;
  private static final String TOO_DEEP =
      """
      calls from Java back into the virtual machine are nested 200 deep; the call of a packed\
       function was refused
      """;

  private static @Nullable String run(String program, Object... args) {
    try (BackendRegistry registry =
            BackendRegistry.builder()
                .add(new CpuBackendProvider())
                .add(new BuiltinFunctions(new PrintStream(OutputStream.nullOutputStream())))
                .build();
        VirtualMachine vm =
            VirtualMachine.builder(Program.of(Assembler.parse(program)))
                .registry(registry)
                .function("host.add", (a, result) -> result.setLong(a.longAt(0) + a.longAt(1)))
                .limits(Limits.defaults().withMemoryBudget(1 << 24))
                .build();
        Value value = vm.function("main").call(args)) {
      return value.object() == null ? null : value.toString();
    }
  }

  @Test
  void aTupleThatDoublesAtEachStepIsRefused() {
    String program = LOOP.formatted("i1", DOUBLE, NOTHING);
    assertThat(run(program, 3)).isEqualTo("[[[1, 1], [1, 1]], [[1, 1], [1, 1]]]");
    assertThatThrownBy(() -> run(program, 60)).hasMessage(TOO_LARGE);
  }

  @Test
  void aDeeplyNestedTupleIsAResult() {
    String program = LOOP.formatted("i1", NEST, NOTHING);
    assertThat(run(program, 100_000)).isEqualTo("[".repeat(16) + "..." + "]".repeat(16));
  }

  @Test
  void aMessageThatNamesATupleIsBounded() {
    String make = "call vm.builtin.make_shape in: %1, i1, i1, i0 dst: %2";
    assertThatThrownBy(() -> run(LOOP.formatted("i1", DOUBLE, make), 60))
        .isInstanceOf(CallException.class)
        .hasMessageStartingWith("expected a shape heap");
  }

  @Test
  void aClosureThatHoldsItselfTwiceAtEachStepIsAResult() {
    String bind = "vm.builtin.make_closure in: f[id], %1, %1";
    assertThat(run(LOOP.formatted("f[id]", bind, NOTHING), 60))
        .isEqualTo("closure of id with 2 bound values");
  }

  @Test
  void aDeepChainOfClosuresIsAResult() {
    String bind = "vm.builtin.make_closure in: f[id], %1";
    assertThat(run(LOOP.formatted("f[id]", bind, NOTHING), 100_000))
        .isEqualTo("closure of id with 1 bound values");
  }

  @Test
  void printingATupleThatDoublesAtEachStepIsBounded() {
    String program = LOOP.formatted("i1", DOUBLE, PRINT + "\n  call id in: i1 dst: %1");
    String withText = program.replace("1\n@id", "1\nconstants:\n  c[0] = \"{}\"\n@id");
    assertThat(run(withText, 3)).isEqualTo("1");
    assertThatThrownBy(() -> run(withText, 60)).hasMessageStartingWith(TOO_LONG);
  }

  @Test
  void printingADeeplyNestedTupleIsBounded() {
    String program = LOOP.formatted("i1", NEST, PRINT + "\n  call id in: i1 dst: %1");
    String withText = program.replace("1\n@id", "1\nconstants:\n  c[0] = \"{}\"\n@id");
    assertThatThrownBy(() -> run(withText, 100_000)).hasMessageStartingWith(TOO_LONG);
  }

  @Test
  void functionsThatCallThemselvesByNameAreBounded() {
    String program =
        """
        relaxvm-text 1
        constants:
          c[0] = "again"
        @main(n):
          call vm.builtin.register_py_func in: c[0], f[vm.builtin.call_py_func] dst: %void
          call vm.builtin.copy in: i1 dst: %1
        again:
          if %0 done
          call vm.builtin.make_tuple in: %1 dst: %1
          call vm.builtin.make_tuple in: c[0], %1 dst: %1
          call host.add in: %0, i-1 dst: %0
          goto again
        done:
          call vm.builtin.call_py_func in: %1 dst: %1
          ret %1
        """;
    assertThatThrownBy(() -> run(program, 100_000)).hasMessageStartingWith(TOO_DEEP);
  }

  @Test
  void closuresThatInvokeTheInvocationAreBounded() {
    String program =
        """
        relaxvm-text 1
        @main():
          call vm.builtin.invoke_closure in: %s %%vm dst: %%0
          ret %%0
        """
            .formatted("%vm, f[vm.builtin.invoke_closure], ".repeat(20_000));
    assertThatThrownBy(() -> run(program)).hasMessageStartingWith(TOO_DEEP);
  }
}
