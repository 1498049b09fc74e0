package org.relaxvm.compiler.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.pass.ExecMode;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.AllocatorKind;
import org.relaxvm.vmcore.vm.Instrument;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/** What is seen of a program from outside is the same in both modes of execution. */
class ModesAgreeTest {
  private static final String FAILING =
      """
      @I.ir_module
      class Module:
          @R.function(pure=False)
          def main(x: R.Tensor((n, 4), "float32"), k: R.Tensor((), "int64")) -> R.Tensor((n, 4), "float32"):
              a = R.exp(x)
              b = R.add(a, x)
              stop = R.equal(k, R.const(0, "int64"))
              if stop:
                  c = R.call_packed("check", b, sinfo_args=R.Tensor((n, 4), "float32"))
                  d = R.multiply(c, a)
              else:
                  d = R.call_packed("check", a, sinfo_args=R.Tensor((n, 4), "float32"))
              e = cls.helper(d, b)
              return e

          @R.function
          def helper(x: R.Tensor((m, 4), "float32"), y: R.Tensor((m, 4), "float32")) -> R.Tensor((m, 4), "float32"):
              return R.subtract(R.matmul(x, R.permute_dims(y)), R.const(1, "float32"))
      """;

  private static final String WORKING =
      FAILING.replace(
          "R.subtract(R.matmul(x, R.permute_dims(y)), R.const(1, \"float32\"))",
          "R.subtract(x, y)");

  private static VmBuilder builder(String text, ExecMode mode) {
    Program program =
        Compiler.compile(
            RelaxText.parse(text, "modes", StandardOps.registry()),
            CompileOptions.DEFAULT.withExecMode(mode));
    return VirtualMachine.builder(program).device("cpu").allocator(AllocatorKind.NAIVE);
  }

  private static Tensor input(int rows) {
    return Tensor.of(new float[rows * 4], Shape.of(rows, 4));
  }

  private static Tensor number(long value) {
    return Tensor.of(new long[] {value}, Shape.of());
  }

  @ParameterizedTest
  @EnumSource(ExecMode.class)
  void nothingStaysInUseAfterACallThatFailedAtAnyPoint(ExecMode mode) {
    int[] calls = {0};
    int[] failsAt = {0};
    try (VirtualMachine vm =
            builder(WORKING, mode)
                .function(
                    "check",
                    (args, result) -> {
                      result.setArgument(args, 0);
                      throw new IllegalStateException("refused");
                    })
                .build();
        Tensor x = input(3);
        Tensor zero = number(0);
        Tensor one = number(1)) {
      for (Tensor k : List.of(zero, one)) {
        assertThatThrownBy(() -> vm.function("main").call(x, k))
            .hasMessageStartingWith("check failed: java.lang.IllegalStateException: refused\n")
            .hasMessageContaining("at function main, ")
            .hasMessageContaining(": call check in: %");
        assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
      }
      // Each call of the program in turn is refused by an instrument.
      vm.instrument(
          new Instrument() {
            @Override
            public Action before(Object function, String symbol, CallArgs args) {
              if (calls[0]++ == failsAt[0]) {
                throw new IllegalStateException("refused by the instrument");
              }
              return symbol.equals("check") ? Action.SKIP : Action.RUN;
            }

            @Override
            public void after(
                Object function, String symbol, CallArgs args, @Nullable Object result) {}
          });
      for (int i = 0; i < 12; i++) {
        failsAt[0] = i;
        calls[0] = 0;
        assertThatThrownBy(() -> vm.function("main").call(x, zero))
            .isInstanceOf(RelaxException.class);
        assertThat(vm.memoryStats().getFirst().liveBlocks()).as("call %d", i).isZero();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ExecMode.class)
  void errorsOfFunctionsThatAreCalledNameBoth(ExecMode mode) {
    String text = WORKING.replace("e = cls.helper(d, b)", "e = cls.helper(R.concat((d, d)), b)");
    try (VirtualMachine vm =
            builder(text, mode)
                .function("check", (args, result) -> result.setArgument(args, 0))
                .build();
        Tensor x = input(3);
        Tensor one = number(1)) {
      assertThatThrownBy(() -> vm.function("main").call(x, one))
          .hasMessageContaining("at function helper, ")
          .hasMessageContaining("at function main, ");
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }

  /** The names of the packed functions that are called, but for those that a mode adds. */
  private static List<String> seen(ExecMode mode) {
    List<String> seen = new ArrayList<>();
    try (VirtualMachine vm =
            builder(WORKING, mode)
                .function("check", (args, result) -> result.setArgument(args, 0))
                .build();
        Tensor x = input(2);
        Tensor zero = number(0)) {
      vm.instrument(
          new Instrument() {
            @Override
            public Action before(Object function, String symbol, CallArgs args) {
              seen.add(symbol);
              return Action.RUN;
            }

            @Override
            public void after(
                Object function, String symbol, CallArgs args, @Nullable Object result) {
              seen.add("after " + symbol);
            }
          });
      vm.function("main").call(x, zero).close();
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
    return seen.stream()
        .map(symbol -> symbol.replace("vm.builtin.invoke_closure", "helper"))
        .filter(symbol -> !symbol.endsWith("vm.builtin.copy"))
        .toList();
  }

  @Test
  void instrumentsSeeTheSameCalls() {
    List<String> bytecode = seen(ExecMode.BYTECODE);
    assertThat(bytecode).contains("check", "helper", "vm.builtin.read_if_cond");
    assertThat(seen(ExecMode.COMPILED)).isEqualTo(bytecode);
  }

  @ParameterizedTest
  @EnumSource(ExecMode.class)
  void namesThatNothingProvidesAreReportedWhenTheProgramIsLinked(ExecMode mode) {
    VmBuilder builder = builder(WORKING, mode);
    assertThatThrownBy(builder::build)
        .hasMessageStartingWith("the program needs a function that nothing provides:\n    check\n");
  }
}
