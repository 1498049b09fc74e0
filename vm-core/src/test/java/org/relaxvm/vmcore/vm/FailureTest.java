package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.VOID;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.vmcore.executable.Arg;

/** What a failure says, and that it leaks nothing. */
class FailureTest {
  private final TestDevices devices = new TestDevices();

  @AfterEach
  void close() {
    devices.close();
  }

  /** Allocates in both frames; the inner one fails when its argument is not 0. */
  private static TestProgram program() {
    return new TestProgram()
        .function("main", 1, 2, "bad")
        .call("new_tensor", 1, Arg.VM, imm(8))
        .call("inner", 1, r(0), r(1))
        .ret(1)
        .function("inner", 2, 3, "bad", "x")
        .call("new_tensor", 2, Arg.VM, imm(16))
        .branch(0, 2)
        .call("fail", VOID, r(1), imm(-3))
        .ret(2);
  }

  @Test
  void foreignExceptionIsWrappedWithTheFunctionAndTheLocation() {
    try (VirtualMachine vm = TestFunctions.builder(program(), devices).build()) {
      assertThatThrownBy(() -> vm.function("main").call(1))
          .isInstanceOfSatisfying(
              CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.RUNTIME))
          .hasMessage(
              """
              fail failed: java.lang.IllegalStateException: kernel broke
                at function inner, pc 5: call fail in: %1, i-3 dst: %void
                at function main, pc 1: call inner in: %0, %1 dst: %1\
              """)
          .hasCauseInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void foreignExceptionWithoutAMessageIsNamed() {
    TestProgram program = new TestProgram().function("main", 0, 1).call("mute", 0).ret(0);
    try (VirtualMachine vm =
        TestFunctions.builder(program, devices)
            .function(
                "mute",
                (args, result) -> {
                  throw new ArithmeticException();
                })
            .build()) {
      assertThatThrownBy(() -> vm.function("main").call())
          .hasMessage(
              """
              mute failed: java.lang.ArithmeticException
                at function main, pc 0: call mute in: dst: %0\
              """);
    }
  }

  @Test
  void goodCallFollowsAFailedOneAndNothingLeaks() {
    try (VirtualMachine vm = TestFunctions.builder(program(), devices).build()) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> vm.function("main").call(1)).isInstanceOf(CallException.class);
        assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
        vm.function("main").call(0).close();
        assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
      }
    }
  }

  @Test
  void resultSetBeforeAFailureIsReleased() {
    TestProgram program =
        new TestProgram().function("main", 0, 1).call("half_way", 0, Arg.VM).ret(0);
    try (VirtualMachine vm =
        TestFunctions.builder(program, devices)
            .function(
                "half_way",
                (args, result) -> {
                  result.set(
                      args.context().allocator(-1).allocate(64, 64, "", args.context().stream(-1)));
                  throw new CallException(ErrorKind.VALUE, "stopped half way");
                })
            .build()) {
      assertThatThrownBy(() -> vm.function("main").call())
          .hasMessage(
              """
              stopped half way
                at function main, pc 0: call half_way in: %vm dst: %0\
              """);
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }

  @Test
  void argumentReleasedByItsFunctionKeepsNoOtherRegister() {
    TestProgram program =
        new TestProgram()
            .function("main", 0, 2)
            .call("new_tensor", 0, Arg.VM, imm(8))
            .call("new_tensor", 1, Arg.VM, imm(8))
            .call("release", VOID, r(0))
            .call("fail", VOID)
            .ret(0);
    try (VirtualMachine vm =
        TestFunctions.builder(program, devices)
            .function("release", (args, _) -> args.tensorAt(0).release())
            .build()) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> vm.function("main").call()).isInstanceOf(RuntimeException.class);
        assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
      }
    }
  }

  @Test
  void resultThatAnInstrumentSetBeforeItFailedIsReleased() {
    Tensor tensor = Tensor.scalar(1L);
    try (VirtualMachine vm = TestFunctions.builder(program(), devices).build()) {
      vm.instrument(
          Instrument.of(
              (_, result) -> {
                result.set(tensor);
                throw new CallException(ErrorKind.VALUE, "seen enough");
              }));
      assertThatThrownBy(() -> vm.function("main").call(0))
          .hasMessage(
              """
              seen enough
                at function main, pc 0: call new_tensor in: %vm, i8 dst: %1\
              """);
      assertThat(tensor.isLive()).isFalse();
    }
  }

  @Test
  void errorsPropagateAfterCleaningUp() {
    TestProgram program =
        new TestProgram()
            .function("main", 0, 1)
            .call("new_tensor", 0, Arg.VM, imm(8))
            .call("give_up", 0)
            .ret(0);
    OutOfMemoryError error = new OutOfMemoryError("test");
    try (VirtualMachine vm =
        TestFunctions.builder(program, devices)
            .function(
                "give_up",
                (_, _) -> {
                  throw error;
                })
            .build()) {
      assertThatThrownBy(() -> vm.function("main").call()).isSameAs(error);
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }

  @Test
  void overwritingARegisterReleasesItsValue() {
    TestProgram program =
        new TestProgram()
            .function("main", 0, 1)
            .call("new_tensor", 0, Arg.VM, imm(8))
            .call("null", 0)
            .call("live_blocks", 0)
            .ret(0);
    try (VirtualMachine vm =
        TestFunctions.builder(program, devices)
            .function(
                "live_blocks",
                (args, result) -> result.setLong(args.context().allocator(0).stats().liveBlocks()))
            .build()) {
      assertThat(vm.function("main").call().asLong()).isZero();
    }
  }

  @Test
  void unknownDeviceIndexListsTheDevices() {
    TestProgram program = new TestProgram().function("main", 0, 1).call("ask", 0).ret(0);
    try (VirtualMachine vm =
        TestFunctions.builder(program, devices)
            .function("ask", (args, _) -> args.context().allocator(3))
            .build()) {
      assertThatThrownBy(() -> vm.function("main").call())
          .hasMessage(
              "there is no device 3: the devices of the virtual machine are [cpu:0], "
                  + "and -1 is the host\n"
                  + "  at function main, pc 0: call ask in: dst: %0");
    }
  }

  @Test
  void lostDeviceFailsTheCallAndNothingIsKept() {
    TestProgram program =
        new TestProgram()
            .function("main", 1, 2, "bad")
            .call("new_tensor", 1, Arg.VM, imm(8))
            .branch(0, 2)
            .call("fail", VOID)
            .ret(1);
    try (VirtualMachine vm = TestFunctions.builder(program, devices).device("opaque").build()) {
      devices.opaque().lost = true;
      assertThatThrownBy(() -> vm.function("main").call(0))
          .isInstanceOf(BackendException.class)
          .hasMessage("device opaque:0 is lost");
      assertThatThrownBy(() -> vm.function("main").call(1))
          .hasMessageStartingWith("fail failed: java.lang.IllegalStateException: kernel broke")
          .satisfies(
              e ->
                  assertThat(e.getSuppressed())
                      .singleElement()
                      .isInstanceOf(BackendException.class));
      devices.opaque().lost = false;
      assertThat(devices.opaque().blocks).hasValue(0);
      assertThat(devices.opaque().streams).hasValue(0);
      vm.function("main").call(0).close();
    }
  }
}
