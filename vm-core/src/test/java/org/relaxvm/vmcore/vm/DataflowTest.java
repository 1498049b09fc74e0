package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.relaxvm.vmcore.vm.TestProgram.VOID;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.vmcore.executable.Arg;

/**
 * Independent calls run at the same time, and nobody sees it.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 17.
 */
class DataflowTest {
  private static final int PATIENCE_SECONDS = 30;

  private final TestDevices devices = new TestDevices();
  private final CyclicBarrier meeting = new CyclicBarrier(2);
  private final List<Long> log = Collections.synchronizedList(new ArrayList<>());
  private volatile CountDownLatch released = new CountDownLatch(1);
  private final AtomicInteger alive = new AtomicInteger();
  private final AtomicInteger taken = new AtomicInteger();

  @AfterEach
  void close() {
    devices.close();
  }

  private VmBuilder builder(TestProgram program) {
    return DataflowFunctions.addTo(TestFunctions.builder(program, devices))
        .parallelism(Parallelism.of(2).always())
        .function("meet", this::meet, CallEffects.pure())
        .function(
            "meet_and_fill",
            (args, result) -> {
              meet(args, result);
              DataflowFunctions.fill(args, result);
            },
            CallEffects.writing(Set.of(0)))
        .function("log", (args, result) -> log.add(args.longAt(0)))
        .function("mark", (args, result) -> log.add(args.longAt(1)), CallEffects.writing(Set.of(0)))
        .function("wait", this::await, CallEffects.pure())
        .function("open", (args, result) -> released.countDown(), CallEffects.pure())
        .function("break", DataflowTest::fail, CallEffects.pure())
        .function("wait_and_break", this::awaitAndFail, CallEffects.pure())
        .function("open_and_break", this::openAndFail, CallEffects.pure())
        .function("see", this::see, CallEffects.pure());
  }

  private VirtualMachine vm(TestProgram program) {
    return builder(program).build();
  }

  /** Returns when two calls are under way at once. */
  private void meet(CallArgs args, CallResult result) {
    try {
      meeting.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException("nobody else came", e);
    }
  }

  private void await(CallArgs args, CallResult result) {
    try {
      if (!released.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nobody opened");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void fail(CallArgs args, CallResult result) {
    throw new IllegalStateException("broke " + args.longAt(0));
  }

  private void openAndFail(CallArgs args, CallResult result) {
    released.countDown();
    fail(args, result);
  }

  private void awaitAndFail(CallArgs args, CallResult result) {
    await(args, result);
    fail(args, result);
  }

  private void see(CallArgs args, CallResult result) {
    if (args.tensorAt(0).isLive()) {
      alive.incrementAndGet();
    }
  }

  @Test
  void independentCallsOverlap() {
    TestProgram program =
        new TestProgram().function("main", 0, 1).call("meet", VOID).call("meet", VOID).ret(0);
    try (VirtualMachine vm = vm(program)) {
      vm.function("main").call();
      assertThat(vm.executedInstructions()).isEqualTo(3);
    }
  }

  @Test
  void twoReadersRunTogetherAndTheWriterAfterBoth() {
    TestProgram program =
        new TestProgram()
            .function("main", 0, 3)
            .call("alloc", 0, Arg.VM)
            .call("fill", VOID, r(0), imm(1))
            .call("view", 1, r(0))
            .call("meet", VOID, r(0))
            .call("meet", VOID, r(1))
            .call("increment", VOID, r(1), imm(5))
            .call("total", 2, r(0))
            .ret(2);
    try (VirtualMachine vm = vm(program)) {
      assertThat(vm.function("main").call().asDouble()).isEqualTo(3 * (1 + 2 + 3 + 4) + 4 * 5);
    }
  }

  @Test
  void aCopyOfTheContextIsThatOfTheCall() {
    Set<VmContext> seen = ConcurrentHashMap.newKeySet();
    TestProgram program =
        new TestProgram()
            .function("main", 0, 3)
            .call("move", 0, Arg.VM)
            .call("meet", VOID, r(0))
            .call("move", 1, Arg.VM)
            .call("meet", VOID, r(1))
            .call("keep", VOID, r(0))
            .call("keep", VOID, r(1))
            .call("keep", VOID, Arg.VM)
            .ret(2);
    try (VirtualMachine vm =
        builder(program).function("keep", (args, result) -> seen.add(args.contextAt(0))).build()) {
      vm.function("main").call();
      assertThat(seen).hasSize(1);
    }
  }

  @Test
  void aKillWaitsForTheLastReader() {
    TestProgram program =
        new TestProgram()
            .function("main", 0, 2)
            .call("alloc", 0, Arg.VM)
            .call("wait", VOID, r(0))
            .call("see", VOID, r(0))
            .call("open", VOID)
            .call("kill", 0)
            .ret(1);
    try (VirtualMachine vm = vm(program)) {
      for (int i = 0; i < 100; i++) {
        vm.function("main").call();
      }
      assertThat(alive).hasValue(100);
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }

  @Test
  void theFirstErrorInProgramOrderIsReportedAndNothingStaysInUse() {
    TestProgram program =
        new TestProgram()
            .function("main", 0, 5)
            .call("alloc", 0, Arg.VM)
            .call("alloc", 1, Arg.VM)
            .call("total", 2, r(0))
            .call("wait_and_break", 2, imm(1))
            .call("open_and_break", 3, imm(2))
            .call("mark", VOID, r(1), imm(3))
            .call("fill", VOID, r(0), imm(3))
            .ret(0);
    try (VirtualMachine vm = vm(program)) {
      for (int i = 0; i < 50; i++) {
        released = new CountDownLatch(1);
        Throwable failure = catchThrowable(() -> vm.function("main").call());

        assertThat(failure)
            .hasMessage(
                """
                wait_and_break failed: java.lang.IllegalStateException: broke 1
                  at function main, pc 3: call wait_and_break in: i1 dst: %2\
                """);
        assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
      }
      assertThat(vm.executedInstructions()).isEqualTo(50 * 4);
    }
  }

  @Test
  void whatDependsOnAFailedCallIsNotBegun() {
    TestProgram program =
        new TestProgram()
            .function("main", 0, 2)
            .call("alloc", 0, Arg.VM)
            .call("break", 1, r(0))
            .call("total", VOID, r(1))
            .call("mark", VOID, r(0), imm(3))
            .call("total", VOID, imm(1))
            .ret(0);
    try (VirtualMachine vm = vm(program)) {
      assertThatThrownBy(() -> vm.function("main").call()).hasMessageContaining("pc 1: call break");
      assertThat(log).isEmpty();
    }
  }

  @Test
  void callsAfterACheckWaitForIt() {
    TestProgram program =
        new TestProgram()
            .function("main", 1, 3)
            .call("alloc", 1, Arg.VM)
            .call("refuse_negative", VOID, r(0))
            .call("mark", VOID, r(1), imm(1))
            .call("total", 2, r(0))
            .ret(0);
    try (VirtualMachine vm = vm(program)) {
      assertThatThrownBy(() -> vm.function("main").call(-1)).hasMessageContaining("negative");
      assertThat(log).isEmpty();
    }
  }

  @Test
  void callsWithUnknownEffectsStayInProgramOrder() {
    TestProgram program = new TestProgram().function("main", 0, 1);
    for (int i = 0; i < 20; i++) {
      program.call("open", VOID).call("log", VOID, imm(i)).call("wait", VOID);
    }
    program.ret(0);
    try (VirtualMachine vm = vm(program)) {
      vm.function("main").call();
      assertThat(log).isSorted().hasSize(20);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7})
  void bodiesOfLoopsRunInParallel(int iterations) {
    TestProgram program =
        new TestProgram()
            .function("main", 1, 4, "n")
            .call("alloc", 1, Arg.VM)
            .call("fill", VOID, r(1), imm(0))
            .call("positive", 2, r(0))
            .branch(2, 6)
            .call("meet", VOID)
            .call("meet", VOID)
            .call("increment", VOID, r(1), imm(2))
            .call("add", 0, r(0), imm(-1))
            .jump(-6)
            .call("total", 3, r(1))
            .ret(3);
    try (VirtualMachine parallel = vm(program)) {
      double expected = 0;
      double[] values = {0, 1, 2, 3};
      for (double value : values) {
        double now = value;
        for (int i = 0; i < iterations; i++) {
          now = 3 * now % 1001 + 2;
        }
        expected += now;
      }
      assertThat(parallel.function("main").call(iterations).asDouble()).isEqualTo(expected);
    }
  }

  @Test
  void aBudgetThatSufficesInProgramOrderSufficesInParallel() {
    TestProgram program = new TestProgram().function("main", 0, 2);
    for (int i = 0; i < 40; i++) {
      program
          .call("alloc", 0, Arg.VM)
          .call("fill", VOID, r(0), imm(i))
          .call("total", 1, r(0))
          .call("kill", 0);
    }
    program.ret(1);
    // One tensor of 32 bytes at a time.
    try (VirtualMachine vm =
        builder(program).limits(Limits.defaults().withMemoryBudget(40)).build()) {
      for (int i = 0; i < 50; i++) {
        assertThat(vm.function("main").call().asDouble()).isEqualTo(4 * 39 + 6);
      }
    }
  }

  @Test
  void aBudgetSufficesForCallsThatTakeMemoryForThemselves() {
    TestProgram program = new TestProgram().function("main", 0, 3);
    for (int i = 0; i < 3; i++) {
      program.call("alloc", i, Arg.VM);
    }
    for (int i = 0; i < 3; i++) {
      program.call("fill_by_copy", VOID, Arg.VM, r(i), imm(i));
    }
    program.ret(0);
    PackedFunc fillByCopy =
        (args, result) -> {
          VmContext context = args.contextAt(0);
          Shape shape = Shape.of(DataflowFunctions.LENGTH);
          try (Tensor copy =
              DeviceTensors.allocate(
                  context.allocator(0), DType.FLOAT64, shape, context.stream(0))) {
            assertThat(taken.incrementAndGet()).isEqualTo(1);
            DataflowFunctions.fill(CallArgs.of(copy, args.at(2)), new CallResult());
            copy.copyInto(args.tensorAt(1));
            taken.decrementAndGet();
          }
        };
    // Three tensors of 32 bytes, and one copy at a time.
    try (VirtualMachine vm =
        builder(program)
            .limits(Limits.defaults().withMemoryBudget(4 * 32))
            .function("fill_by_copy", fillByCopy, CallEffects.writing(Set.of(1)).asAllocation())
            .build()) {
      for (int i = 0; i < 50; i++) {
        vm.function("main").call().close();
      }
    }
  }

  @Test
  void memoryIsTakenWhenItIsNeededAndGivenBackSoon() {
    int tensors = 40;
    TestProgram program = new TestProgram();
    Arg shape = program.constant(Shape.of(DataflowFunctions.LENGTH));
    Arg dtype = program.constant(DType.FLOAT64);
    program.function("main", 0, 2 * tensors + 1);
    for (int i = 0; i < tensors; i++) {
      program
          .call("storage", 2 * i, Arg.VM)
          .call("tensor_in", 2 * i + 1, r(2 * i), imm(0), shape, dtype)
          .call("kill", 2 * i)
          .call("fill", VOID, r(2 * i + 1), imm(i))
          .call("kill", 2 * i + 1);
    }
    program.ret(2 * tensors);
    try (VirtualMachine vm = vm(program)) {
      vm.function("main").call();
      long storageBytes = 4 * DataflowFunctions.LENGTH * Double.BYTES;
      assertThat(vm.memoryStats().getFirst().peakReservedBytes())
          .isLessThanOrEqualTo(2 * storageBytes);
    }
  }

  @Test
  void tensorsAtOtherBytesOfAStorageAreIndependent() {
    TestProgram program = new TestProgram();
    Arg shape = program.constant(Shape.of(DataflowFunctions.LENGTH));
    Arg dtype = program.constant(DType.FLOAT64);
    program
        .function("main", 0, 5)
        .call("storage", 0, Arg.VM)
        .call("tensor_in", 1, r(0), imm(0), shape, dtype)
        .call("tensor_in", 2, r(0), imm(32), shape, dtype)
        .call("tensor_in", 3, r(0), imm(16), shape, dtype)
        .call("meet_and_fill", VOID, r(1), imm(1))
        .call("meet_and_fill", VOID, r(2), imm(2))
        .call("fill", VOID, r(3), imm(3))
        .call("sum", VOID, r(1), r(2), r(1))
        .call("total", 4, r(1))
        .ret(4);
    try (VirtualMachine vm = vm(program)) {
      assertThat(vm.function("main").call().asDouble())
          .isEqualTo((1 + 2 + 3 + 4) + 2 * (5 + 6 + 4 + 5));
    }
  }

  @Test
  void parametersThatMayBeTheSameTensorAreWrittenInOrder() {
    TestProgram program =
        new TestProgram()
            .function("main", 2, 3, "x", "y")
            .call("increment", VOID, r(0), imm(1))
            .call("increment", VOID, r(1), imm(2))
            .call("meet", VOID)
            .call("meet", VOID)
            .call("total", 2, r(0))
            .ret(2);
    try (VirtualMachine vm = vm(program);
        Tensor x = Tensor.of(new double[] {0, 0, 0, 0}, Shape.of(DataflowFunctions.LENGTH))) {
      assertThat(vm.function("main").call(x, x).asDouble()).isEqualTo(4 * (3 * 1 + 2));
    }
  }

  @Test
  void callsThatAreWatchedExecuteInProgramOrder() {
    TestProgram program =
        new TestProgram()
            .function("main", 0, 1)
            .call("open", VOID)
            .call("wait", VOID)
            .call("total", 0, imm(1))
            .ret(0);
    try (VirtualMachine vm = vm(program)) {
      List<String> seen = new ArrayList<>();
      vm.instrument(
          (function, symbol, args) -> {
            seen.add(symbol);
            return symbol.equals("total") ? Instrument.Action.SKIP : Instrument.Action.RUN;
          });
      vm.function("main").call();
      assertThat(seen).containsExactly("open", "wait", "total");
    }
  }

  @Test
  void shortCallsAreFoundNotToBeWorthIt() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    TestProgram program =
        new TestProgram()
            .function("main", 0, 1)
            .call("thread", VOID)
            .call("thread", VOID)
            .call("thread", VOID)
            .ret(0);
    try (VirtualMachine vm =
        TestFunctions.builder(program, devices)
            .parallelism(2)
            .function(
                "thread", (args, result) -> threads.add(Thread.currentThread()), CallEffects.pure())
            .build()) {
      for (int i = 0; i < 200; i++) {
        vm.function("main").call();
      }
      threads.clear();
      for (int i = 0; i < 200; i++) {
        vm.function("main").call();
      }
      assertThat(threads).containsExactly(Thread.currentThread());
    }
  }

  @Test
  void parallelismMustBePositive() {
    assertThatThrownBy(() -> Parallelism.of(0))
        .isInstanceOf(LinkException.class)
        .hasMessage("parallelism must be at least 1 call, but is 0");
  }
}
