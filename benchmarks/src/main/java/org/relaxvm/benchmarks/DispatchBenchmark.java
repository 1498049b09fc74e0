package org.relaxvm.benchmarks;

import java.util.List;
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
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * Time per instruction of straight-line programs, beside a plain Java loop that makes the same
 * calls through the same interface.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class DispatchBenchmark {
  private static final int INSTRUCTIONS = 30_000;

  /** Which program. */
  @Param({"copy", "shape", "alloc"})
  public String program = "";

  private @Nullable VirtualMachine interpreted;
  private @Nullable VirtualMachine looped;
  private @Nullable Tensor input;

  /** Links the program, and one that only calls the loop. */
  @Setup(Level.Trial)
  public void open() {
    Program straight = DispatchPrograms.program(program, INSTRUCTIONS);
    ExecBuilder loopOnly = new ExecBuilder();
    loopOnly.function("main", List.of("x"), f -> f.ret(f.call("bench.loop", f.param(0))));
    interpreted = VirtualMachine.builder(straight).build();
    looped =
        VirtualMachine.builder(Program.of(loopOnly.get()))
            .function("bench.loop", new PlainLoop(straight.executable()))
            .build();
    input = Tensor.zeros(DType.FLOAT32, Shape.of(3, 5));
  }

  /** Closes the VMs. */
  @TearDown(Level.Trial)
  public void close() {
    if (interpreted != null) {
      interpreted.close();
    }
    if (looped != null) {
      looped.close();
    }
    if (input != null) {
      input.close();
    }
  }

  /** The virtual machine. */
  @Benchmark
  @OperationsPerInvocation(INSTRUCTIONS)
  public void virtualMachine() {
    call(interpreted);
  }

  /** The plain loop. */
  @Benchmark
  @OperationsPerInvocation(INSTRUCTIONS)
  public void plainLoop() {
    call(looped);
  }

  private void call(@Nullable VirtualMachine vm) {
    if (vm == null) {
      throw new IllegalStateException("the benchmark is not set up");
    }
    vm.function("main").call(input).close();
  }
}
