package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.relaxvm.vmcore.vm.TestProgram.VOID;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.vmcore.executable.Arg;

/**
 * Failures below many frames, of bytecode and of Java in turn, whose registers hold tensors, tuples
 * and closures: nothing is left in use, and the VM works on.
 */
class FailureDepthTest {
  private final TestDevices devices = new TestDevices();
  private Failure failing = Failure.NONE;

  @AfterEach
  void close() {
    devices.close();
  }

  /** What the innermost function does. */
  private enum Failure {
    NONE(() -> null),
    TYPED(() -> new CallException(ErrorKind.VALUE, "given up")),
    FOREIGN(() -> new IllegalStateException("given up")),
    OUT_OF_MEMORY(() -> new OutOfMemoryError("given up")),
    STACK_OVERFLOW(FailureDepthTest::overflow);

    private final Supplier<? extends Throwable> make;

    Failure(Supplier<? extends Throwable> make) {
      this.make = make;
    }
  }

  /** Overflows the stack for real. */
  private static Throwable overflow() {
    return new IllegalStateException(String.valueOf(endless(0)));
  }

  private static long endless(long depth) {
    return depth < 0 ? depth : endless(depth + 1) * 31 + depth;
  }

  private void giveUp(CallArgs args, CallResult result) {
    result.setArgument(args, 0); // set before it fails, and so to be released
    switch (failing.make.get()) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> {}
    }
  }

  /**
   * {@code down(n)} goes down {@code n} times: by a call of bytecode, through a closure, and
   * through Java, with a tensor, a tuple and a closure in registers of each frame. At the bottom a
   * loop calls {@code give_up} in its second round.
   */
  private static TestProgram program() {
    TestProgram program = new TestProgram();
    return program
        .function("down", 1, 5, "n")
        .call("new_tensor", 1, Arg.VM, imm(8))
        .call("tuple", 2, r(1), r(1))
        .call("make_closure", 3, program.functionValue("through_java"), r(2))
        .call("positive", 4, r(0))
        .branch(4, 4)
        .call("add", 4, r(0), imm(-1))
        .call("invoke_closure", 4, Arg.VM, r(3), r(4))
        .jump(2)
        .call("bottom", 4, r(2))
        .ret(4)
        .function("through_java", 2, 4, "n", "pair")
        .call("new_tensor", 2, Arg.VM, imm(16))
        .call("call_back", 3, program.functionValue("down"), r(0))
        .ret(3)
        .function("bottom", 1, 4, "pair")
        .call("copy", 1, imm(2))
        .call("new_tensor", 2, Arg.VM, imm(4))
        .call("tuple", 2, r(0), r(2))
        .call("add", 1, r(1), imm(-1))
        .call("positive", 3, r(1))
        .branch(3, 2)
        .jump(-5)
        .call("give_up", 3, r(2))
        .call("call_back", 3, program.functionValue("answer"))
        .ret(3)
        .function("answer", 0, 1)
        .call("add", 0, imm(40), imm(2))
        .ret(0)
        .function("endless", 1, 2, "x")
        .call("new_tensor", 1, Arg.VM, imm(4))
        .call("call_back", 1, program.functionValue("endless"), r(1))
        .call("copy", VOID, r(1))
        .ret(1);
  }

  private VirtualMachine vm() {
    return TestFunctions.builder(program(), devices).function("give_up", this::giveUp).build();
  }

  @ParameterizedTest
  @EnumSource
  void atEveryDepth(Failure failure) {
    VirtualMachine vm = vm();
    for (int depth = 0; depth < 40; depth++) {
      failing = failure;
      int n = depth;
      Throwable thrown = catchThrowable(() -> vm.function("down").call(n).close());
      switch (failure) {
        case NONE -> assertThat(thrown).isNull();
        case TYPED ->
            assertThat(thrown).isInstanceOf(CallException.class).hasMessageStartingWith("given up");
        case FOREIGN ->
            assertThat(thrown)
                .isInstanceOf(CallException.class)
                .hasRootCauseInstanceOf(IllegalStateException.class);
        case OUT_OF_MEMORY -> assertThat(thrown).isExactlyInstanceOf(OutOfMemoryError.class);
        case STACK_OVERFLOW -> assertThat(thrown).isExactlyInstanceOf(StackOverflowError.class);
      }
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
      failing = Failure.NONE;
      assertThat(vm.function("down").call(depth).asLong()).isEqualTo(42);
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
    assertTimeoutPreemptively(Duration.ofSeconds(30), vm::close);
  }

  @Test
  void callsThatNestUntilTheStackOverflows() {
    try (VirtualMachine vm =
        TestFunctions.builder(program(), devices)
            .function("give_up", this::giveUp)
            .limits(Limits.defaults().withMaxNesting(Integer.MAX_VALUE))
            .build()) {
      for (int i = 0; i < 20; i++) {
        assertThat(catchThrowable(() -> vm.function("endless").call(1)))
            .isInstanceOf(StackOverflowError.class);
        // Blocks are not counted: the stack may have ended in the middle of giving one back.
        assertThat(vm.function("down").call(3).asLong()).isEqualTo(42);
      }
    }
  }
}
