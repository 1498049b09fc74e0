package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Closure;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.vmcore.executable.Arg;

/** A thread that closes a handle while another calls with it: the call works or is refused. */
class HandleRaceTest {
  private static final int ROUNDS = 300;

  private final TestDevices devices = new TestDevices();
  private final VirtualMachine vm = TestFunctions.builder(program(), devices).build();
  private final ExecutorService other = Executors.newSingleThreadExecutor();
  private final CyclicBarrier start = new CyclicBarrier(2);

  private static TestProgram program() {
    TestProgram program = new TestProgram();
    return program
        .function("same", 1, 1)
        .ret(0)
        .function("tensor", 0, 1)
        .call("new_tensor", 0, Arg.VM, imm(3))
        .ret(0)
        .function("pair", 0, 2)
        .call("new_tensor", 0, Arg.VM, imm(3))
        .call("tuple", 1, r(0), r(0))
        .ret(1)
        .function("bind", 0, 2)
        .call("new_tensor", 0, Arg.VM, imm(3))
        .call("make_closure", 1, program.functionValue("same"), r(0))
        .ret(1);
  }

  @AfterEach
  void close() {
    other.shutdown();
    vm.close();
    devices.close();
  }

  @Test
  void tensor() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      Tensor tensor = vm.function("tensor").call().asTensor();
      race(() -> vm.function("same").call(tensor).close(), tensor::close);
    }
  }

  @Test
  void tupleWithAFieldClosedOnItsOwn() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      Tuple tuple = vm.function("pair").call().asTuple();
      race(
          () -> vm.function("same").call(tuple).close(),
          () -> {
            tuple.at(1).asTensor().close();
            tuple.close();
          });
    }
  }

  @Test
  void closure() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      Closure closure = vm.function("bind").call().asClosure();
      race(() -> vm.invoke(closure).close(), closure::close);
    }
  }

  @Test
  void handleThatBothClose() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      Tuple tuple = vm.function("pair").call().asTuple();
      race(tuple::close, tuple::close);
    }
  }

  private void race(Runnable use, Runnable close) throws Exception {
    Future<?> user =
        other.submit(
            () -> {
              start.await();
              try {
                use.run();
              } catch (CallException e) {
                assertThat(e.summary())
                    .matches("this (tensor|tuple) is closed: it cannot be used any more");
              }
              return null;
            });
    start.await();
    close.run();
    user.get();
    assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
  }
}
