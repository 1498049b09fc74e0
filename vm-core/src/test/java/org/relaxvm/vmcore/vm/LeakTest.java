package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.vmcore.executable.Arg;

/** The net under results that are never closed. */
@Isolated("waits for what the garbage collector finds")
class LeakTest {
  private final TestDevices devices = new TestDevices();

  @AfterEach
  void close() {
    devices.close();
  }

  private VirtualMachine vm() {
    TestProgram program = new TestProgram();
    program
        .function("pair", 0, 3)
        .call("new_tensor", 0, Arg.VM, imm(2))
        .call("new_tensor", 1, Arg.VM, imm(3))
        .call("tuple", 2, r(0), r(1))
        .ret(2)
        .function("closure", 0, 1)
        .call("new_tensor", 0, Arg.VM, imm(2))
        .call("make_closure", 0, program.functionValue("pair"), r(0))
        .ret(0);
    return TestFunctions.builder(program, devices).device("opaque").traceLeaks(true).build();
  }

  @Test
  void forgottenResultsComeBackWithTheGarbage() {
    try (VirtualMachine vm = vm()) {
      vm.function("pair").call();
      vm.function("closure").call();
      awaitBlocks(0);
    }
  }

  @Test
  void keptFieldOfAForgottenTupleStaysUsable() {
    try (VirtualMachine vm = vm()) {
      Tensor kept = (Tensor) vm.function("pair").call().asTuple().get(1);
      awaitBlocks(1);
      assertThat(kept).isNotNull();
      assertThat(kept.toHost().toFloatArray()).containsExactly(0, 0, 0);
      kept.close();
      assertThat(devices.opaque().blocks).hasValue(0);
    }
  }

  @Test
  void closedResultsAreNotReleasedAgain() {
    try (VirtualMachine vm = vm()) {
      for (int i = 0; i < 10; i++) {
        try (Value pair = vm.function("pair").call()) {
          pair.asList().getFirst().asTensor().close();
        }
        vm.function("closure").call().close();
      }
      assertThat(devices.opaque().blocks).hasValue(0);
      System.gc();
      assertThat(devices.opaque().blocks).hasValue(0);
    }
  }

  private void awaitBlocks(int expected) {
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          while (devices.opaque().blocks.get() != expected) {
            System.gc();
            Thread.onSpinWait();
          }
        });
  }
}
