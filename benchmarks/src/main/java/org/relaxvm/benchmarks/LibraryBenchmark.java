package org.relaxvm.benchmarks;

import java.util.Arrays;
import java.util.Locale;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.memory.PooledAllocator;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;

/**
 * Functions of the kernel library on the CPU: code of the JVM beside machine code of the same
 * functions, called alternately by one thread. Prints a Markdown table: microseconds of the first
 * call and the least of later ones, and the time of the JVM's code divided by that of machine code.
 *
 * <p>Arguments: parts of function names; without any, all functions.
 */
public final class LibraryBenchmark {
  private static final int TRIALS = 60;
  private static final double TRIAL_SECONDS = 0.0005;
  private static final double WARM_UP_SECONDS = 0.4;

  private LibraryBenchmark() {}

  /** Runs the benchmark. */
  public static void main(String[] args) {
    BackendRegistry portable = library("portable");
    BackendRegistry machine = library("machine");
    System.out.println(
        "| function | shape | JVM first, us | machine first, us | JVM, us | machine, us | ratio |");
    System.out.println("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
    Device cpu = machine.require("cpu:0");
    try (WorkerPool workers = WorkerPool.ofThreads(1);
        Allocator allocator = new PooledAllocator(cpu)) {
      KernelContext context = new KernelContext(workers, allocator);
      LibraryCase.forEach(
          each -> {
            if (args.length == 0 || Arrays.stream(args).anyMatch(each.function()::contains)) {
              compare(each, call(portable, context, each), call(machine, context, each));
            }
          });
    }
    portable.close();
    machine.close();
  }

  private static BackendRegistry library(String code) {
    BackendRegistry registry = BackendRegistry.discover();
    registry.option("cpu.code", code);
    registry.option("cpu.formulas", "all");
    return registry;
  }

  private static Runnable call(BackendRegistry registry, KernelContext context, LibraryCase of) {
    PackedFunc function = registry.require("cpu:0").library().find(of.name()).orElseThrow();
    CallArgs args = CallArgs.of(context, of.args());
    CallResult result = new CallResult();
    return () -> function.call(args, result);
  }

  private static void compare(LibraryCase each, Runnable portable, Runnable machine) {
    double firstPortable = Measure.time(portable, 1);
    double firstMachine = Measure.time(machine, 1);
    Measure.warmUp(portable, WARM_UP_SECONDS);
    Measure.warmUp(machine, WARM_UP_SECONDS / 4);
    // The shortest time is the one that other work on the machine disturbs least.
    int calls = (int) Math.max(1, TRIAL_SECONDS / Measure.time(machine, 3));
    double[] portableTimes = new double[TRIALS];
    double[] machineTimes = new double[TRIALS];
    for (int i = 0; i < TRIALS; i++) {
      portableTimes[i] = Measure.time(portable, calls);
      machineTimes[i] = Measure.time(machine, calls);
    }
    double portableTime = Arrays.stream(portableTimes).min().orElseThrow();
    double machineTime = Arrays.stream(machineTimes).min().orElseThrow();
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %.0f | %.0f | %.2f | %.2f | %.2f |%n",
        each.function(),
        each.shape(),
        firstPortable * 1e6,
        firstMachine * 1e6,
        portableTime * 1e6,
        machineTime * 1e6,
        portableTime / machineTime);
  }
}
