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
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.vmcore.vm.Tier;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Time per instruction of straight-line functions in both tiers, and time to compile one. */
@BenchmarkMode(Mode.AverageTime)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class TierBenchmark {
  private static final int INSTRUCTIONS = 300;
  private static final int COMPILED_INSTRUCTIONS = 1000;

  /** A virtual machine of one tier, and its input. */
  @State(Scope.Thread)
  public static class Machine {
    /** Which program. */
    @Param({"copy", "shape", "alloc"})
    public String program = "";

    /** Which tier. */
    @Param({"INTERPRETER", "COMPILED"})
    public Tier tier = Tier.AUTO;

    private @Nullable VirtualMachine vm;
    private @Nullable Tensor input;

    /** Links the program. */
    @Setup(Level.Trial)
    public void open() {
      vm =
          VirtualMachine.builder(DispatchPrograms.program(program, INSTRUCTIONS))
              .tier(tier)
              .build();
      input = Tensor.zeros(DType.FLOAT32, Shape.of(3, 5));
    }

    /** Closes the VM. */
    @TearDown(Level.Trial)
    public void close() {
      closeAll(vm, input);
    }
  }

  /** A virtual machine that has called nothing. */
  @State(Scope.Thread)
  public static class NewMachine {
    /** Which program. */
    @Param({"copy", "shape", "alloc"})
    public String program = "";

    private @Nullable VirtualMachine vm;
    private @Nullable Tensor input;

    /** Links the program. */
    @Setup(Level.Invocation)
    public void open() {
      vm =
          VirtualMachine.builder(DispatchPrograms.program(program, COMPILED_INSTRUCTIONS))
              .tier(Tier.COMPILED)
              .build();
      input = Tensor.zeros(DType.FLOAT32, Shape.of(3, 5));
    }

    /** Closes the VM. */
    @TearDown(Level.Invocation)
    public void close() {
      closeAll(vm, input);
    }
  }

  /** A call, per instruction. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.NANOSECONDS)
  @OperationsPerInvocation(INSTRUCTIONS)
  public void instruction(Machine machine) {
    call(machine.vm, machine.input);
  }

  /** The first call of a function of 1,000 instructions, which compiles it. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public void compilation(NewMachine machine) {
    call(machine.vm, machine.input);
  }

  private static void call(@Nullable VirtualMachine vm, @Nullable Tensor input) {
    if (vm == null) {
      throw new IllegalStateException("the benchmark is not set up");
    }
    vm.function("main").call(input).close();
  }

  private static void closeAll(@Nullable VirtualMachine vm, @Nullable Tensor input) {
    if (vm != null) {
      vm.close();
    }
    if (input != null) {
      input.close();
    }
  }
}
