package org.relaxvm.cli.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.cli.output.Progress;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmFunction;

/**
 * Times calls of a function: warm-up calls first, then {@code repeat} timed calls in each of {@code
 * threads} threads that start together.
 */
public final class Bench {
  private final VirtualMachine vm;
  private final VmFunction function;
  private final @Nullable Object[] args;
  private final int warmup;
  private final int repeat;
  private final int threads;

  /**
   * Creates a benchmark; arguments are borrowed and shared by all threads.
   *
   * @param warmup calls before the timed ones; negative for as many as it takes to be steady
   */
  public Bench(
      VirtualMachine vm,
      String function,
      @Nullable Object[] args,
      int warmup,
      int repeat,
      int threads) {
    this.vm = vm;
    this.function = vm.function(function);
    this.args = args;
    this.warmup = warmup;
    this.repeat = repeat;
    this.threads = threads;
  }

  /** Runs it. */
  public BenchResult run(Progress progress) {
    long instructions = countInstructions();
    WarmUp warmUp = WarmUp.run(this::callOnce, warmup, progress);
    long[] nanos = new long[threads * repeat];
    AtomicLong allocated = new AtomicLong();
    CountDownLatch start = new CountDownLatch(1);
    List<Future<?>> futures = new ArrayList<>();
    long wall;
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (int t = 0; t < threads; t++) {
        int first = t * repeat;
        futures.add(
            executor.submit(
                () -> {
                  start.await();
                  allocated.addAndGet(timeInThisThread(nanos, first, progress));
                  return null;
                }));
      }
      long begin = System.nanoTime();
      start.countDown();
      futures.forEach(Bench::await);
      wall = System.nanoTime() - begin;
    }
    return BenchResult.of(nanos, wall, instructions, allocated.get(), warmUp);
  }

  private long countInstructions() {
    long before = vm.executedInstructions();
    callOnce();
    return vm.executedInstructions() - before;
  }

  private long timeInThisThread(long[] nanos, int first, Progress progress) {
    ThreadMXBean threadBean = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    long allocated = 0;
    for (int i = 0; i < repeat; i++) {
      long bytesBefore = threadBean.getCurrentThreadAllocatedBytes();
      long begin = System.nanoTime();
      callOnce();
      nanos[first + i] = System.nanoTime() - begin;
      allocated += threadBean.getCurrentThreadAllocatedBytes() - bytesBefore;
      progress.step();
    }
    return allocated;
  }

  private void callOnce() {
    function.call(args).close();
  }

  private static void await(Future<?> future) {
    try {
      future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RelaxException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallException(ErrorKind.RUNTIME, "the benchmark was interrupted", e);
    }
  }
}
