package org.relaxvm.compiler.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.pass.ExecMode;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.vmcore.vm.Limits;
import org.relaxvm.vmcore.vm.Tier;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/** Functions that call themselves run in one frame and hold the memory of one iteration. */
class LoopsTest {
  private static final int MILLION = 1_000_000;

  private static final String COUNT =
      """
      @I.ir_module
      class Module:
          @R.function
          def main(k: R.Tensor((), "int64"), s: R.Tensor((), "int64")) -> R.Tensor((), "int64"):
              stop = R.equal(k, R.const(0, "int64"))
              if stop:
                  r = s
              else:
                  r = cls.main(R.subtract(k, R.const(1, "int64")), R.add(s, k))
              return r
      """;

  private static final String GROW =
      """
      @I.ir_module
      class Module:
          @R.function
          def main(k: R.Tensor((), "int64"), x: R.Tensor((n,), "float32")) -> R.Tensor(dtype="float32", ndim=1):
              stop = R.equal(k, R.const(0, "int64"))
              if stop:
                  r = x
              else:
                  r = cls.main(R.subtract(k, R.const(1, "int64")), R.concat((x, R.const([1.0], "float32"))))
              return r
      """;

  /** How the function is executed: bytecode in a tier, or a compiled function. */
  enum Execution {
    INTERPRETER(ExecMode.BYTECODE, Tier.INTERPRETER),
    AUTO(ExecMode.BYTECODE, Tier.AUTO),
    COMPILED_TIER(ExecMode.BYTECODE, Tier.COMPILED),
    COMPILED_FUNCTION(ExecMode.COMPILED, Tier.AUTO);

    final ExecMode mode;
    final Tier tier;

    Execution(ExecMode mode, Tier tier) {
      this.mode = mode;
      this.tier = tier;
    }

    VmBuilder builder(String text) {
      return VirtualMachine.builder(
              Compiler.compile(
                  RelaxText.parse(text, "loop", StandardOps.registry()),
                  CompileOptions.DEFAULT.withExecMode(mode)))
          .device("cpu")
          .tier(tier);
    }
  }

  private static VirtualMachine vm(String text, Execution execution, Limits limits) {
    return execution.builder(text).limits(limits).build();
  }

  private static Tensor number(long value) {
    return Tensor.of(new long[] {value}, Shape.of());
  }

  @ParameterizedTest
  @EnumSource(Execution.class)
  void aMillionIterationsNeedOneFrameAndTheMemoryOfOne(Execution execution) {
    Limits limits = Limits.defaults().withMaxDepth(1).withMaxStackBytes(4096);
    try (VirtualMachine vm = vm(COUNT, execution, limits);
        Tensor count = number(MILLION);
        Tensor zero = number(0);
        Tensor sum = vm.function("main").call(count, zero).asTensor()) {
      assertThat(sum.toLongArray()).containsExactly(MILLION * (MILLION + 1L) / 2);
      assertThat(vm.memoryStats().getFirst().deviceAllocations()).isLessThan(10);
    }
  }

  @ParameterizedTest
  @EnumSource(Execution.class)
  void extentsMayBeOthersInEachIteration(Execution execution) {
    try (VirtualMachine vm = vm(GROW, execution, Limits.defaults().withMaxDepth(1));
        Tensor count = number(300);
        Tensor x = Tensor.of(new float[] {5, 6}, Shape.of(2));
        Tensor grown = vm.function("main").call(count, x).asTensor()) {
      assertThat(grown.shape()).isEqualTo(Shape.of(302));
      assertThat(grown.toFloatArray()).startsWith(5, 6, 1).endsWith(1);
      assertThat(x.toFloatArray()).containsExactly(5, 6);
    }
  }

  @ParameterizedTest
  @EnumSource(Execution.class)
  void instructionsOfIterationsCount(Execution execution) {
    Limits limits = Limits.defaults().withMaxInstructions(10_000);
    try (VirtualMachine vm = vm(COUNT, execution, limits);
        Tensor few = number(100);
        Tensor many = number(MILLION);
        Tensor zero = number(0)) {
      vm.function("main").call(few, zero).close();
      assertThatThrownBy(() -> vm.function("main").call(many, zero))
          .isInstanceOf(RelaxException.class)
          .hasMessageContaining("10000");
    }
  }

  @ParameterizedTest
  @EnumSource(Execution.class)
  void anEndlessLoopIsInterrupted(Execution execution) throws InterruptedException {
    // A function that never returns.
    String text = COUNT.replace("r = s", "r = cls.main(s, k)");
    try (VirtualMachine vm = vm(text, execution, Limits.defaults());
        Tensor endless = number(-1);
        Tensor zero = number(0)) {
      Throwable[] failure = new Throwable[1];
      CountDownLatch begins = new CountDownLatch(1);
      Thread thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    begins.countDown();
                    try {
                      vm.function("main").call(endless, zero).close();
                    } catch (RelaxException e) {
                      failure[0] = e;
                    }
                  });
      begins.await();
      thread.interrupt();
      thread.join(10_000);
      assertThat(thread.isAlive()).isFalse();
      assertThat(failure[0]).hasMessageContaining("interrupted");
    }
  }

  @ParameterizedTest
  @EnumSource(Execution.class)
  void anErrorNamesTheInstructionOfTheLoop(Execution execution) {
    String text =
        COUNT
            .replace("@R.function", "@R.function(pure=False)")
            .replace(
                "R.add(s, k)", "R.call_packed(\"next\", s, sinfo_args=R.Tensor((), \"int64\"))");
    try (VirtualMachine vm =
            execution
                .builder(text)
                .function(
                    "next",
                    (args, result) -> {
                      long now = args.tensorAt(0).toHost().toLongArray()[0];
                      if (now == 500) {
                        throw new IllegalStateException("500 is reached");
                      }
                      result.set(number(now + 1));
                    })
                .build();
        Tensor count = number(MILLION);
        Tensor zero = number(0)) {
      assertThatThrownBy(() -> vm.function("main").call(count, zero))
          .isInstanceOf(CallException.class)
          .hasMessageMatching(
              "next failed: java.lang.IllegalStateException: 500 is reached\n"
                  + "  at function main, (pc|call) \\d+: call next in: %1 dst: %\\d+");
    }
  }
}
