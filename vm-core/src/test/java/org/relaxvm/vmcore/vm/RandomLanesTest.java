package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;

/**
 * The programs of {@link RandomDataflowTest} on a device with streams: in any order of the work
 * that the streams allow, results are those of one stream.
 */
class RandomLanesTest {
  private final DeferredDevice device = new DeferredDevice();
  private final TestDevices devices = new TestDevices(device);

  @AfterEach
  void close() {
    devices.close();
  }

  /** What a call shows. */
  private record Outcome(List<Double> results, List<Double> seen, String error, long executed) {}

  @Test
  void severalStreamsEqualOne() {
    RandomCases cases = RandomCases.of(Effort.chosen().pick(500, 10_000, 100_000));
    System.out.println("random programs on streams: " + cases);
    int errors = 0;
    for (long number : cases.numbers().toArray()) {
      SplittableRandom random = new SplittableRandom(cases.seed() * 31 + number);
      device.random = random.split();
      long shape = random.nextLong();
      AllocatorKind kind = random.nextBoolean() ? AllocatorKind.POOLED : AllocatorKind.NAIVE;
      Outcome serial = run(shape, kind, Parallelism.of(1));
      Outcome parallel = run(shape, kind, Parallelism.of(random.nextInt(2, 5)).always());
      assertThat(parallel).as(cases.repeat(number)).isEqualTo(serial);
      errors += serial.error().isEmpty() ? 0 : 1;
    }
    if (!cases.isSingle()) {
      assertThat(errors).as("programs that fail").isBetween(1, (int) cases.count() - 1);
    }
  }

  @Test
  void whereAStreamCannotWaitNothingIsUsedAfterItsReleaseAndNothingStaysInUse() {
    RandomCases cases = RandomCases.of(Effort.chosen().pick(500, 10_000, 100_000));
    System.out.println("random programs on streams that fail: " + cases);
    int errors = 0;
    for (long number : cases.numbers().toArray()) {
      SplittableRandom random = new SplittableRandom(cases.seed() * 31 + number);
      device.random = random.split();
      device.waitsUntilFailure = random.nextInt(60);
      Parallelism parallelism = Parallelism.of(random.nextInt(2, 5)).always();
      String error = run(random.nextLong(), AllocatorKind.NAIVE, parallelism).error();
      errors += error.startsWith("add_late failed") || error.contains("waits for nobody") ? 1 : 0;
    }
    if (!cases.isSingle()) {
      assertThat(errors).as("programs that fail").isPositive();
    }
  }

  private VmBuilder builder(TestProgram program, List<Double> seen) {
    return DataflowFunctions.addWithoutContents(TestFunctions.builder(program, devices))
        .device("deferred")
        .function(
            "fill", DeferredDevice.kernel(DataflowFunctions::fill), CallEffects.writing(Set.of(0)))
        .function(
            "sum", DeferredDevice.kernel(DataflowFunctions::sum), CallEffects.writing(Set.of(2)))
        .function(
            "duplicate",
            DataflowFunctions.duplicate(DeferredDevice.kernel(DataflowFunctions::assign)),
            CallEffects.pure().asAllocation())
        .function(
            "increment",
            DeferredDevice.kernel(DataflowFunctions::increment),
            CallEffects.writing(Set.of(0)))
        .function(
            "add_late", DeferredDevice.kernel(RandomDataflowTest::add), CallEffects.writingAny())
        .function(
            "total",
            DeferredDevice.reader(
                (args, result) -> result.setDouble(DataflowFunctions.total(args.tensorAt(0)))),
            CallEffects.pure())
        .function(
            "fail_below", DeferredDevice.reader(RandomDataflowTest::failBelow), CallEffects.pure())
        .function(
            "show",
            DeferredDevice.reader(
                (args, result) -> seen.add(DataflowFunctions.total(args.tensorAt(0)))));
  }

  private Outcome run(long shape, AllocatorKind kind, Parallelism parallelism) {
    List<Double> seen = new ArrayList<>();
    List<Double> results = new ArrayList<>();
    String error = "";
    TestProgram program = RandomDataflowTest.program(new SplittableRandom(shape));
    long executed;
    try (VirtualMachine vm =
        builder(program, seen).allocator(kind).parallelism(parallelism).build()) {
      try {
        for (int i = 0; i < 2; i++) {
          results.add(vm.function("main").call(i).asDouble());
        }
      } catch (RelaxException e) {
        error = e.getMessage();
      }
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
      executed = vm.executedInstructions();
    }
    assertThat(device.usesAfterFree).isZero();
    assertThat(device.openStreams()).isZero();
    return new Outcome(results, seen, error, executed);
  }
}
