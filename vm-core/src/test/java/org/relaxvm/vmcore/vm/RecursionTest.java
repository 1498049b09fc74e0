package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.vmcore.executable.Arg;

/** Deep recursion and its limits. */
class RecursionTest {
  private static final int MILLION = 1_000_000;

  private final TestDevices devices = new TestDevices();

  @AfterEach
  void close() {
    devices.close();
  }

  /** {@code count(n) = n > 0 ? count(n - 1) + 1 : 0}, called directly. */
  private static TestProgram count() {
    return new TestProgram()
        .function("count", 1, 3, "n")
        .call("positive", 1, r(0))
        .branch(1, 5)
        .call("add", 2, r(0), imm(-1))
        .call("count", 2, r(2))
        .call("add", 2, r(2), imm(1))
        .jump(2)
        .call("copy", 2, imm(0))
        .ret(2);
  }

  /** The same through a closure that is passed along. */
  private static TestProgram countThroughClosures() {
    TestProgram program = new TestProgram();
    return program
        .function("count", 2, 4, "n", "self")
        .call("positive", 2, r(0))
        .branch(2, 5)
        .call("add", 3, r(0), imm(-1))
        .call("invoke_closure", 3, Arg.VM, r(1), r(3), r(1))
        .call("add", 3, r(3), imm(1))
        .jump(2)
        .call("copy", 3, imm(0))
        .ret(3)
        .function("main", 1, 2, "n")
        .call("count", 1, r(0), program.functionValue("count"))
        .ret(1);
  }

  /** The same through a function that calls back into the VM. */
  private static TestProgram countThroughJava() {
    TestProgram program = new TestProgram();
    return program
        .function("count", 1, 3, "n")
        .call("positive", 1, r(0))
        .branch(1, 5)
        .call("add", 2, r(0), imm(-1))
        .call("call_back", 2, program.functionValue("count"), r(2))
        .call("add", 2, r(2), imm(1))
        .jump(2)
        .call("copy", 2, imm(0))
        .ret(2);
  }

  @Test
  void oneMillionFramesRun() {
    try (VirtualMachine vm = TestFunctions.builder(count(), devices).build()) {
      VmFunction count = vm.function("count");
      assertThat(count.call(MILLION).asLong()).isEqualTo(MILLION);
      assertThat(count.call(3).asLong()).isEqualTo(3);
    }
  }

  @Test
  void oneMillionClosureCallsRun() {
    try (VirtualMachine vm = TestFunctions.builder(countThroughClosures(), devices).build()) {
      assertThat(vm.function("main").call(MILLION).asLong()).isEqualTo(MILLION);
    }
  }

  @Test
  void depthLimitNamesTheFunctionAndTheRemedy() {
    try (VirtualMachine vm =
        TestFunctions.builder(count(), devices).limits(Limits.defaults().withMaxDepth(3)).build()) {
      assertThat(vm.function("count").call(2).asLong()).isEqualTo(2);
      assertThatThrownBy(() -> vm.function("count").call(3))
          .isInstanceOfSatisfying(
              CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.RUNTIME))
          .hasMessage(
              """
              the call of function count would be frame 4, but the limit is 3 frames
                if the recursion is meant to be this deep, raise the limit with \
              limits(Limits.defaults().withMaxDepth(n)) on the \
              virtual machine's builder
                at function count, pc 3: call count in: %2 dst: %2
                at function count, pc 3: call count in: %2 dst: %2
                at function count, pc 3: call count in: %2 dst: %2\
              """);
      assertThat(vm.function("count").call(2).asLong()).isEqualTo(2);
    }
  }

  @Test
  void stackLimitNamesTheFunctionAndTheRemedy() {
    try (VirtualMachine vm =
        TestFunctions.builder(count(), devices)
            .limits(Limits.defaults().withMaxStackBytes(1 << 16))
            .build()) {
      assertThatThrownBy(() -> vm.function("count").call(MILLION))
          .isInstanceOf(CallException.class)
          .hasMessageStartingWith(
              """
              the call of function count needs 3 registers more, but the registers of the 1365 \
              frames below fill the limit of 65536 bytes
                if the recursion is meant to be this deep, raise the limit with \
              limits(Limits.defaults().withMaxStackBytes(n)) \
              on the virtual machine's builder and the heap with -Xmx
                at function count, pc 3: call count in: %2 dst: %2
              """)
          .hasMessageEndingWith("\n  ... 1349 more frames");
    }
  }

  @Test
  void callsBackFromJavaAreBounded() {
    try (VirtualMachine vm =
        TestFunctions.builder(countThroughJava(), devices)
            .limits(Limits.defaults().withMaxNesting(2))
            .build()) {
      assertThat(vm.function("count").call(1).asLong()).isEqualTo(1);
      assertThatThrownBy(() -> vm.function("count").call(2))
          .isInstanceOf(CallException.class)
          .hasMessage(
              """
              calls from Java back into the virtual machine are nested 2 deep; the call of function \
              count was refused
                each such call takes room on the Java stack: let the program call the function, or \
              raise the limit with limits(Limits.defaults().withMaxNesting(n)) and the thread's stack with -Xss
                at function count, pc 3: call call_back in: f[count], %2 dst: %2
                at function count, pc 3: call call_back in: f[count], %2 dst: %2\
              """);
      assertThat(vm.function("count").call(1).asLong()).isEqualTo(1);
    }
  }

  @Test
  void defaultNestingFitsTheJavaStack() {
    try (VirtualMachine vm = TestFunctions.builder(countThroughJava(), devices).build()) {
      int deepest = Limits.defaults().maxNesting() - 1;
      assertThat(vm.function("count").call(deepest).asLong()).isEqualTo(deepest);
      assertThatThrownBy(() -> vm.function("count").call(deepest + 1))
          .isInstanceOf(CallException.class);
    }
  }

  @Test
  void executionLimitEndsALoop() {
    TestProgram program =
        new TestProgram()
            .function("main", 0, 1)
            .call("copy", 0, imm(1))
            .branch(0, 2)
            .jump(-1)
            .ret(0);
    try (VirtualMachine vm =
        TestFunctions.builder(program, devices)
            .limits(Limits.defaults().withMaxInstructions(1000))
            .build()) {
      assertThatThrownBy(() -> vm.function("main").call())
          .isInstanceOf(CallException.class)
          .hasMessageStartingWith(
              """
              the call executed more than 1000 instructions, which is the limit
                what to do: raise it with limits(Limits.defaults().withMaxInstructions(n)) on the virtual machine's builder; 0 means no limit
                at function main, pc\
              """);
      assertThat(vm.executedInstructions()).isEqualTo(1000);
    }
  }

  @Test
  void executionLimitCountsNestedCalls() {
    try (VirtualMachine vm =
        TestFunctions.builder(countThroughJava(), devices)
            .limits(Limits.defaults().withMaxInstructions(20))
            .build()) {
      assertThat(vm.function("count").call(2).asLong()).isEqualTo(2);
      assertThatThrownBy(() -> vm.function("count").call(3)).isInstanceOf(CallException.class);
      assertThat(vm.function("count").call(2).asLong()).isEqualTo(2);
    }
  }

  @Test
  void interruptionEndsALoop() {
    TestProgram program =
        new TestProgram().function("main", 0, 1).call("copy", 0, imm(1)).jump(-1).ret(0);
    try (VirtualMachine vm = TestFunctions.builder(program, devices).build()) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> vm.function("main").call())
          .isInstanceOf(CallException.class)
          .hasMessage(
              """
              the call was interrupted: the thread's interrupt status is set
                at function main, pc 1: goto -1\
              """);
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
