package org.relaxvm.benchmarks;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.pass.ExecMode;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.vmcore.vm.Tier;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * Time per call of a packed function that does nothing, in bytecode on both tiers and in compiled
 * functions.
 */
@BenchmarkMode(Mode.AverageTime)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ExecModeBenchmark {
  private static final int CALLS = 300;

  /** What executes the calls. */
  public enum Execution {
    /** Bytecode, interpreted. */
    INTERPRETER(ExecMode.BYTECODE, Tier.INTERPRETER),
    /** Bytecode on the compiled tier. */
    COMPILED_TIER(ExecMode.BYTECODE, Tier.COMPILED),
    /** A host function. */
    COMPILED_MODE(ExecMode.COMPILED, Tier.AUTO);

    private final ExecMode mode;
    private final Tier tier;

    Execution(ExecMode mode, Tier tier) {
      this.mode = mode;
      this.tier = tier;
    }
  }

  /** A virtual machine and its input. */
  @State(Scope.Thread)
  public static class Machine {
    /** What executes the calls. */
    @Param public Execution execution = Execution.INTERPRETER;

    private @Nullable VirtualMachine vm;
    private @Nullable Tensor input;

    /** Compiles and links the program. */
    @Setup(Level.Trial)
    public void open() {
      vm =
          VirtualMachine.builder(
                  Compiler.compile(
                      RelaxText.parse(text(), "calls", StandardOps.registry()),
                      CompileOptions.DEFAULT.withExecMode(execution.mode)))
              .device("cpu")
              .tier(execution.tier)
              .function("nothing", (args, result) -> {})
              .build();
      input = Tensor.of(new long[] {0}, Shape.of());
    }

    /** Closes the VM. */
    @TearDown(Level.Trial)
    public void close() {
      if (vm != null) {
        vm.close();
      }
      if (input != null) {
        input.close();
      }
    }

    private static String text() {
      StringBuilder text = new StringBuilder();
      text.append("@I.ir_module\nclass Module:\n  @R.function(pure=False)\n");
      text.append("  def main(x: R.Tensor((), \"int64\")) -> R.Tensor((), \"int64\"):\n");
      for (int i = 0; i < CALLS; i++) {
        text.append("    v").append(i).append(" = R.call_packed(\"nothing\", x, ");
        text.append("sinfo_args=R.Object)\n");
      }
      return text.append("    return x\n").toString();
    }
  }

  /** One of the calls. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.NANOSECONDS)
  @OperationsPerInvocation(CALLS)
  public void call(Machine machine) {
    VirtualMachine vm = machine.vm;
    if (vm == null) {
      throw new IllegalStateException("the benchmark is not set up");
    }
    vm.function("main").call(machine.input).close();
  }
}
