package org.relaxvm.interoponnx.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;
import org.relaxvm.vmcore.program.Dim;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.TensorSpec;
import org.relaxvm.vmcore.vm.Limits;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmFunction;

/**
 * Models, changed at random, are read, compiled and sometimes run, or refused with a typed error:
 * in bounded time, and in bounded memory.
 */
class MutatedModelsTest {
  private static final long SECONDS = 30;
  private static final long MOST_ALLOCATED = 1L << 30;
  private static final double MOST_ELEMENTS = 1e5;
  private static final long SYMBOL = 2;
  private static final int FRAMES = 25;
  private static final int DEEP = 500;
  private static final int ONE_IN_SO_MANY_RUNS = 8;
  private static final Limits LIMITS =
      Limits.defaults().withMemoryBudget(64L << 20).withMaxInstructions(20_000);

  /** How far a model got, and why not further. */
  private record Outcome(String stage, String error) {}

  @Test
  void mutatedModelsAreCompiledOrRefusedWithATypedError() throws IOException {
    List<Message> seeds = SeedModels.all();
    RandomCases cases = RandomCases.of(Effort.chosen().pick(1_000, 20_000, 500_000));
    System.out.println("mutated models: " + cases + " of " + seeds.size() + " models");
    Map<String, Integer> outcomes = new TreeMap<>();
    List<String> failures = new ArrayList<>();
    try (Watched watched = new Watched()) {
      for (long number : cases.numbers().toArray()) {
        SplittableRandom random = new SplittableRandom(cases.seed() * 31 + number);
        Message seed = seeds.get(random.nextInt(seeds.size()));
        Message other = seeds.get(random.nextInt(seeds.size()));
        byte[] model = new ModelMutator(seed, other, random).mutated();
        boolean runs = number % ONE_IN_SO_MANY_RUNS == 0;
        try {
          Outcome outcome = watched.call(() -> outcome(model, runs));
          outcomes.merge(outcome.stage() + " " + outcome.error(), 1, Integer::sum);
        } catch (AssertionError e) {
          failures.add(cases.repeat(number) + "\n" + e.getMessage());
        }
      }
    }
    outcomes.forEach((outcome, count) -> System.out.println("  " + count + " x " + outcome));
    assertThat(String.join("\n", failures)).isEmpty();
    assertThat(cases.isSingle() || outcomes.keySet().stream().anyMatch(o -> o.startsWith("ran")))
        .isTrue();
  }

  private static Outcome outcome(byte[] bytes, boolean runs) {
    String stage = "not read:";
    try {
      OnnxModel model = OnnxModel.of("m.onnx", MemorySegment.ofArray(bytes), Path.of("target"));
      stage = "not compiled:";
      Program program = model.compile(OnnxOptions.DEFAULT);
      if (!runs) {
        return new Outcome("compiled", "");
      }
      stage = "not run:";
      return new Outcome(ran(program) ? "ran" : "compiled", "");
    } catch (RelaxException e) {
      assertThat(e.isInternal()).as("a fault of RelaxVM").isFalse();
      assertThat(e.getMessage()).isNotBlank();
      return new Outcome(stage, e.getClass().getSimpleName() + " " + e.kind());
    }
  }

  /** Whether the program was run: it says what it takes, and that is small. */
  private static boolean ran(Program program) {
    try (VirtualMachine vm =
        VirtualMachine.builder(program).device("cpu:0").limits(LIMITS).build()) {
      VmFunction main = vm.function("main");
      List<TensorSpec> inputs = main.inputs().orElse(List.of());
      if (main.inputs().isEmpty() || !inputs.stream().allMatch(MutatedModelsTest::isSmall)) {
        return false;
      }
      Object[] arguments =
          inputs.stream().map(spec -> Tensor.zeros(spec.dtype(), shape(spec))).toArray();
      try (Value result = main.call(arguments)) {
        assertThat(result).isNotNull();
      }
      return true;
    }
  }

  private static boolean isSmall(TensorSpec spec) {
    double elements = 1;
    for (Dim dim : spec.shape()) {
      elements *= dim instanceof Dim.Fixed(long extent) ? extent : SYMBOL;
    }
    return elements <= MOST_ELEMENTS;
  }

  private static Shape shape(TensorSpec spec) {
    return Shape.of(
        spec.shape().stream()
            .mapToLong(dim -> dim instanceof Dim.Fixed(long extent) ? extent : SYMBOL)
            .toArray());
  }

  /** Runs cases in other threads, and measures them. */
  private static final class Watched implements AutoCloseable {
    private final ExecutorService threads =
        Executors.newCachedThreadPool(task -> Thread.ofPlatform().daemon().unstarted(task));

    /** A case that takes too long goes on in its thread, and the next one gets another. */
    Outcome call(Supplier<Outcome> action) {
      AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
      Future<Outcome> outcome =
          threads.submit(
              () -> {
                thread.set(Thread.currentThread());
                return measured(action);
              });
      try {
        return outcome.get(SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        Throwable cause = Objects.requireNonNull(e.getCause());
        throw new AssertionError(cause + frames(cause.getStackTrace()), cause);
      } catch (TimeoutException e) {
        Thread running = Objects.requireNonNull(thread.get());
        throw new AssertionError(
            "it takes more than " + SECONDS + " s" + frames(running.getStackTrace()), e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private static Outcome measured(Supplier<Outcome> action) {
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long before = threads.getCurrentThreadAllocatedBytes();
      Outcome outcome = action.get();
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(allocated).as("bytes that a case allocates").isLessThan(MOST_ALLOCATED);
      return outcome;
    }

    private static String frames(StackTraceElement[] stack) {
      // Where the stack is too deep, what called the recursion is at its end.
      return Arrays.stream(stack)
          .skip(Math.max(0, stack.length > DEEP ? stack.length - FRAMES : 0))
          .limit(FRAMES)
          .map(frame -> "\n    at " + frame)
          .collect(Collectors.joining());
    }

    @Override
    public void close() {
      threads.shutdownNow();
    }
  }
}
