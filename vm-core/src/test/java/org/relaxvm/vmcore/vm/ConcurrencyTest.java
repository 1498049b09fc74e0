package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.VOID;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Closure;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.vmcore.executable.Arg;

/** Calls from many threads, streams, and closing. */
class ConcurrencyTest {
  private static final int THREADS = 8;
  private static final int CALLS = 500;

  private final TestDevices devices = new TestDevices();

  @AfterEach
  void close() {
    devices.close();
  }

  /** Sums {@code n + (n-1) + ... + 1} recursively, through a closure, with a tensor per frame. */
  private static TestProgram sum() {
    TestProgram program = new TestProgram();
    return program
        .function("sum", 1, 4, "n")
        .call("positive", 1, r(0))
        .branch(1, 6)
        .call("new_tensor", 3, Arg.VM, r(0))
        .call("make_closure", 2, program.functionValue("next"), r(0))
        .call("invoke_closure", 2, Arg.VM, r(2), imm(-1))
        .call("add", 2, r(2), r(0))
        .jump(2)
        .call("copy", 2, imm(0))
        .ret(2)
        .function("next", 2, 3, "step", "n")
        .call("add", 2, r(0), r(1))
        .call("sum", 2, r(2))
        .ret(2);
  }

  @Test
  void eightThreadsAgree() throws Exception {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println("seed: -Drelaxvm.seed=" + seed);
    try (VirtualMachine vm = TestFunctions.builder(sum(), devices).device("opaque").build();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> results = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        Random random = new Random(seed + t);
        results.add(threads.submit(() -> callMany(vm.function("sum"), random)));
      }
      for (Future<?> result : results) {
        result.get();
      }
      assertThat(devices.opaque().blocks).hasValue(0);
      assertThat(devices.opaque().streams.get()).isBetween(1, THREADS);
    }
    assertThat(devices.opaque().streams).hasValue(0);
  }

  private static void callMany(VmFunction sum, Random random) {
    for (int i = 0; i < CALLS; i++) {
      int n = random.nextInt(40);
      assertThat(sum.call(n).asLong()).isEqualTo(n * (n + 1) / 2);
    }
  }

  @Test
  void streamsAreSynchronisedOncePerCallAndUsedAgain() {
    TestProgram program =
        new TestProgram()
            .function("main", 0, 1)
            .call("new_tensor", 0, Arg.VM, imm(2))
            .call("new_tensor", 0, Arg.VM, imm(3))
            .ret(0);
    try (VirtualMachine vm = TestFunctions.builder(program, devices).device("opaque").build()) {
      int before = devices.opaque().synchronizations.get();
      for (int i = 0; i < 3; i++) {
        vm.function("main").call().close();
      }
      assertThat(devices.opaque().synchronizations.get() - before).isEqualTo(3);
      assertThat(devices.opaque().streams).hasValue(1);
    }
  }

  @Test
  void closingWaitsForCallsUnderWayAndRefusesNewOnes() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    TestProgram program = new TestProgram().function("main", 0, 1).call("block", 0).ret(0);
    VirtualMachine vm =
        TestFunctions.builder(program, devices)
            .function(
                "block",
                (_, result) -> {
                  inside.countDown();
                  awaitUninterruptibly(mayEnd);
                  result.setLong(1);
                })
            .build();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<Long> call = threads.submit(() -> vm.function("main").call().asLong());
      inside.await();
      Future<?> closing = threads.submit(vm::close);
      // Once calls are refused the other thread is inside close(), which must be waiting.
      while (!refusesCalls(vm)) {
        Thread.onSpinWait();
      }
      assertThat(closing.isDone()).isFalse();
      mayEnd.countDown();
      assertThat(call.get()).isEqualTo(1);
      closing.get();
    }
    vm.close();
  }

  private static boolean refusesCalls(VirtualMachine vm) {
    try {
      vm.invoke((PackedFunc) (_, result) -> result.setLong(1));
      return false;
    } catch (CallException e) {
      assertThat(e).hasMessage("cannot call a packed function: the virtual machine is closed");
      return true;
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void closingFromWithinACallIsRefused() {
    TestProgram program =
        new TestProgram().function("main", 0, 1).call("close", VOID).call("null", 0).ret(0);
    VirtualMachine[] holder = new VirtualMachine[1];
    try (VirtualMachine vm =
        TestFunctions.builder(program, devices)
            .function("close", (_, _) -> holder[0].close())
            .build()) {
      holder[0] = vm;
      assertThatThrownBy(() -> vm.function("main").call())
          .hasMessage(
              """
              a virtual machine cannot be closed from within one of its calls: it would wait for \
              itself
                at function main, pc 0: call close in: dst: %void\
              """);
    }
  }

  @Test
  void attachmentsAreMadeOnceAndClosedWithTheVm() {
    TestProgram program = new TestProgram().function("main", 0, 1).call("count", 0).ret(0);
    Counter.closed.set(0);
    try (VirtualMachine vm =
        TestFunctions.builder(program, devices).function("count", ConcurrencyTest::count).build()) {
      vm.function("main").call();
      assertThat(vm.function("main").call().asLong()).isEqualTo(2);
      assertThat(Counter.closed).hasValue(0);
    }
    assertThat(Counter.closed).hasValue(1);
  }

  private static void count(CallArgs args, CallResult result) {
    result.setLong(++args.context().attachment(Counter.class, Counter::new).calls);
  }

  private static final class Counter implements AutoCloseable {
    static final AtomicInteger closed = new AtomicInteger();
    int calls;

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  @Test
  void resultsOutliveTheVm() {
    TestProgram program =
        new TestProgram().function("main", 0, 1).call("new_tensor", 0, Arg.VM, imm(2)).ret(0);
    VirtualMachine vm = TestFunctions.builder(program, devices).device("opaque").build();
    Value result = vm.function("main").call();
    vm.close();
    assertThat(result.asTensor().toHost().toFloatArray()).containsExactly(0, 0);
    result.close();
    assertThat(devices.opaque().blocks).hasValue(0);
  }

  @Test
  void functionsOfAClosedVmAreRefused() {
    TestProgram program = new TestProgram();
    program.function("main", 0, 1).call("copy", 0, program.functionValue("main")).ret(0);
    VirtualMachine vm = TestFunctions.builder(program, devices).build();
    Closure closure = vm.function("main").call().asClosure();
    VmFunction main = vm.function("main");
    vm.close();
    assertThatThrownBy(main::call)
        .hasMessage("cannot call function main: the virtual machine is closed");
    assertThatThrownBy(() -> vm.invoke(closure))
        .hasMessage("cannot call function main: the virtual machine is closed");
    closure.close();
  }
}
