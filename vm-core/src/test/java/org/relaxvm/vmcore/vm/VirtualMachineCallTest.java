package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.VOID;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;

/** Calls, jumps, branches and results (docs/spec/vm-semantics.md, section 4). */
class VirtualMachineCallTest {
  private final TestDevices devices = new TestDevices();

  @AfterEach
  void close() {
    devices.close();
  }

  private VirtualMachine vm(TestProgram program) {
    return TestFunctions.builder(program, devices).build();
  }

  /** {@code factorial(n) = n > 0 ? n * factorial(n - 1) : 1}. */
  private static TestProgram factorial() {
    return new TestProgram()
        .function("factorial", 1, 4, "n")
        .call("positive", 1, r(0))
        .branch(1, 5)
        .call("add", 2, r(0), imm(-1))
        .call("factorial", 3, r(2))
        .call("mul", 2, r(0), r(3))
        .jump(2)
        .call("copy", 2, imm(1))
        .ret(2);
  }

  @Test
  void recursionReturnsThroughAllFrames() {
    try (VirtualMachine vm = vm(factorial())) {
      assertThat(vm.function("factorial").call(20).asLong()).isEqualTo(2432902008176640000L);
    }
  }

  @Test
  void branchTakesIntegersAndBooleans() {
    TestProgram program =
        new TestProgram()
            .function("main", 1, 2)
            .branch(0, 3)
            .call("copy", 1, imm(10))
            .jump(2)
            .call("copy", 1, imm(20))
            .ret(1);
    try (VirtualMachine vm = vm(program)) {
      VmFunction main = vm.function("main");
      assertThat(main.call(1).asLong()).isEqualTo(10);
      assertThat(main.call(-7L).asLong()).isEqualTo(10);
      assertThat(main.call(0).asLong()).isEqualTo(20);
      assertThat(main.call(true).asLong()).isEqualTo(10);
      assertThat(main.call(false).asLong()).isEqualTo(20);
      assertThatThrownBy(() -> main.call(1.0))
          .isInstanceOf(CallException.class)
          .hasMessage(
              "a condition must be an integer, but is a floating-point number\n"
                  + "  at function main, pc 0: If %0, 3");
    }
  }

  @Test
  void jumpSkipsDeadCode() {
    TestProgram program =
        new TestProgram()
            .function("main", 0, 1)
            .jump(2)
            .call("fail", 0)
            .call("copy", 0, imm(3))
            .ret(0);
    try (VirtualMachine vm = vm(program)) {
      assertThat(vm.function("main").call().asLong()).isEqualTo(3);
    }
  }

  @Test
  void functionCalledWithVoidDestinationDropsItsResult() {
    TestProgram program =
        new TestProgram()
            .function("main", 0, 1)
            .call("make", VOID)
            .call("copy", 0, imm(5))
            .ret(0)
            .function("make", 0, 1)
            .call("new_tensor", 0, Arg.VM, imm(4))
            .ret(0);
    try (VirtualMachine vm = vm(program)) {
      assertThat(vm.function("main").call().asLong()).isEqualTo(5);
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }

  @Test
  void scalarsKeepTheirKind() {
    TestProgram program = new TestProgram().function("main", 1, 1).ret(0);
    try (VirtualMachine vm = vm(program)) {
      VmFunction main = vm.function("main");
      assertThat(main.call(3).object()).isEqualTo(3L);
      assertThat(main.call(2.5f).object()).isEqualTo(2.5);
      assertThat(main.call(true).object()).isEqualTo(true);
      assertThat(main.call("text").object()).isEqualTo("text");
      assertThat(main.call(Shape.of(2, 3)).object()).isEqualTo(Shape.of(2, 3));
      assertThat(main.call((Object) null).isNull()).isTrue();
    }
  }

  @Test
  void identityReturnsAnIndependentHandle() {
    TestProgram program = new TestProgram().function("main", 1, 1).ret(0);
    try (VirtualMachine vm = vm(program);
        Tensor given = Tensor.of(new float[] {1, 2}, Shape.of(2))) {
      Tensor result = vm.function("main").call(given).asTensor();
      given.close();
      assertThat(result.toFloatArray()).containsExactly(1, 2);
      result.close();
      assertThatThrownBy(() -> vm.function("main").call(given))
          .isInstanceOf(CallException.class)
          .hasMessage("this tensor is closed: it cannot be used any more");
    }
  }

  @Test
  void listsBecomeTuplesAndResultsOutliveThem() {
    TestProgram program = new TestProgram().function("main", 1, 1).ret(0);
    try (VirtualMachine vm = vm(program);
        Tensor given = Tensor.of(new long[] {7}, Shape.of(1));
        Value result = vm.function("main").call(List.of(1, List.of(given, "x")))) {
      Value nested = result.asList().get(1);
      assertThat(result.asList().get(0).asLong()).isEqualTo(1);
      assertThat(nested.asList().get(0).asTensor().toLongArray()).containsExactly(7);
      assertThat(nested.asList().get(1).asString()).isEqualTo("x");
    }
  }

  @Test
  void arraysAreRefusedWithTheWayToWrapThem() {
    TestProgram program = new TestProgram().function("main", 1, 1).ret(0);
    try (VirtualMachine vm = vm(program)) {
      assertThatThrownBy(() -> vm.function("main").call(new float[3]))
          .isInstanceOf(CallException.class)
          .hasMessage(
              "argument #0 of function main is a float[], which a program cannot "
                  + "take\n"
                  + "  what to do: wrap it: Tensor.of(array, shape) makes a tensor, "
                  + "Shape.of(...) a shape, List.of(...) a tuple");
    }
  }

  @Test
  void wrongArgumentCountNamesTheParameters() {
    TestProgram program =
        new TestProgram().function("named", 2, 2, "a", "b").ret(0).function("plain", 1, 1).ret(0);
    try (VirtualMachine vm = vm(program)) {
      assertThatThrownBy(() -> vm.function("named").call(1))
          .isInstanceOfSatisfying(
              CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INTERNAL))
          .hasMessage("named takes (a, b), got 1 argument");
      assertThatThrownBy(() -> vm.function("plain").call())
          .isInstanceOfSatisfying(
              CallException.class,
              e ->
                  assertThat(e.tvmMessage())
                      .hasValue(
                          "Invoking function plain expects 1 arguments, but 0 arguments were"
                              + " provided."))
          .hasMessage("plain takes 1 argument, got no arguments");
    }
  }

  @Test
  void unknownFunctionListsWhatExists() {
    try (VirtualMachine vm = vm(factorial())) {
      assertThatThrownBy(() -> vm.function("factorail"))
          .isInstanceOfSatisfying(
              CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
          .hasMessage(
              "there is no function 'factorail'\n"
                  + "  similar: factorial\n"
                  + "  the program has: factorial");
      assertThatThrownBy(() -> vm.function("positive"))
          .isInstanceOfSatisfying(
              CallException.class,
              e ->
                  assertThat(e.tvmMessage())
                      .hasValue("Cannot support closure with function kind 0"))
          .hasMessage(
              "'positive' is a kernel, not a function of the program; callable are: factorial");
    }
  }

  @Test
  void arityCountsTheParameterNames() {
    try (VirtualMachine vm = vm(factorial())) {
      VmFunction function = vm.function("factorial");
      assertThat(function.arity()).isEqualTo(1);
      assertThat(function.paramNames()).containsExactly("n");
      assertThat(function.paramName(0)).isEqualTo("n");
      assertThatThrownBy(() -> function.paramName(1))
          .hasMessage("function factorial has no parameter 1: it has 1 parameter");
    }
  }

  @Test
  void aFunctionThatReturnsTheVoidRegisterGivesNull() {
    Program program =
        Program.of(
            Assembler.parse(
                """
                @nothing():
                  ret   %void
                @main():
                  call  nothing dst: %0
                  ret   %0
                """));
    try (VirtualMachine vm = VirtualMachine.builder(program).registry(devices.registry()).build()) {
      assertThat(vm.function("nothing").call().object()).isNull();
      assertThat(vm.function("main").call().object()).isNull();
    }
  }
}
