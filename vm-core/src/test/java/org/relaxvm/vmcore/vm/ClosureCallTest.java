package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Closure;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.vmcore.executable.Arg;

/** Closures and their bound arguments (docs/spec/vm-semantics.md, section 5). */
class ClosureCallTest {
  private final TestDevices devices = new TestDevices();

  @AfterEach
  void close() {
    devices.close();
  }

  private VirtualMachine vm(TestProgram program) {
    return TestFunctions.builder(program, devices).build();
  }

  private static TestProgram program() {
    TestProgram program = new TestProgram();
    return program
        .function("triple", 3, 4, "a", "b", "c")
        .call("tuple", 3, r(0), r(1), r(2))
        .ret(3)
        .function("bind_one", 1, 2)
        .call("make_closure", 1, program.functionValue("triple"), r(0))
        .ret(1)
        .function("bind_two", 2, 3)
        .call("make_closure", 2, program.functionValue("triple"), r(0))
        .call("make_closure", 2, r(2), r(1))
        .ret(2)
        .function("apply", 2, 3, "f", "x")
        .call("invoke_closure", 2, Arg.VM, r(0), r(1))
        .ret(2)
        .function("apply_two", 3, 4, "f", "x", "y")
        .call("invoke_closure", 3, Arg.VM, r(0), r(1), r(2))
        .ret(3);
  }

  @Test
  void boundValuesAreTheLastArguments() {
    try (VirtualMachine vm = vm(program());
        Closure closure = vm.function("bind_one").call(30).asClosure()) {
      assertThat(vm.invoke(closure, 10, 20).asTuple().fields()).containsExactly(10L, 20L, 30L);
      assertThat(vm.function("apply_two").call(closure, 1, 2).asTuple().fields())
          .containsExactly(1L, 2L, 30L);
    }
  }

  @Test
  void laterBoundValuesComeBeforeEarlierOnes() {
    try (VirtualMachine vm = vm(program());
        Closure closure = vm.function("bind_two").call(30, "second").asClosure()) {
      assertThat(vm.function("apply").call(closure, 2.5).asTuple().fields())
          .containsExactly(2.5, "second", 30L);
    }
  }

  @Test
  void closureKeepsItsTensorAliveAndGivesItBack() {
    TestProgram program = new TestProgram();
    program
        .function("first", 1, 1)
        .ret(0)
        .function("make", 0, 2)
        .call("new_tensor", 0, Arg.VM, imm(3))
        .call("make_closure", 1, program.functionValue("first"), r(0))
        .ret(1);
    try (VirtualMachine vm = vm(program)) {
      Closure closure = vm.function("make").call().asClosure();
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isEqualTo(1);
      Tensor tensor = vm.invoke(closure).asTensor();
      closure.close();
      assertThat(tensor.shape()).isEqualTo(Shape.of(3));
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isEqualTo(1);
      tensor.close();
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }

  @Test
  void packedFunctionIsInvokedAsItIs() {
    PackedFunc twice = (args, result) -> result.setLong(2 * args.longAt(0));
    try (VirtualMachine vm = vm(program())) {
      assertThat(vm.function("apply").call(twice, 21).asLong()).isEqualTo(42);
      assertThat(vm.invoke(twice, 4).asLong()).isEqualTo(8);
    }
  }

  @Test
  void closureWorksOutsideOfAnyCall() {
    try (VirtualMachine vm = vm(program());
        Closure closure = vm.function("bind_one").call(3).asClosure()) {
      assertThat(closure.target().invoke(1, 2, 4).asTuple().fields()).containsExactly(1L, 2L, 4L);
    }
  }

  @Test
  void invokingSomethingElseIsRefused() {
    try (VirtualMachine vm = vm(program())) {
      assertThatThrownBy(() -> vm.function("apply").call("text", 1))
          .isInstanceOf(CallException.class)
          .hasMessage(
              "only a closure or a function can be called, but the value is a "
                  + "string\n"
                  + "  at function apply, pc 7: call invoke_closure in: %vm, %0, %1 dst: %2");
      assertThatThrownBy(() -> vm.invoke(null))
          .isInstanceOfSatisfying(
              CallException.class,
              e ->
                  assertThat(e.tvmMessage())
                      .hasValue("Function expects a closure or ffi::Function "))
          .hasMessage("only a closure or a function can be called, but the value is null");
    }
  }

  @Test
  void wrongArgumentCountOfAClosureNamesItsFunction() {
    try (VirtualMachine vm = vm(program());
        Closure closure = vm.function("bind_one").call(3).asClosure()) {
      assertThatThrownBy(() -> vm.function("apply").call(closure, 1))
          .hasMessage(
              "triple takes (a, b, c), got 2 arguments\n"
                  + "  at function apply, pc 7: call invoke_closure in: %vm, %0, %1 dst: %2");
    }
  }

  @Test
  void closureOfAnotherVmIsRefused() {
    try (VirtualMachine one = vm(program());
        VirtualMachine other = vm(program());
        Closure closure = one.function("bind_two").call(3, 4).asClosure()) {
      String message =
          "function triple belongs to another virtual machine: call it through the one that made"
              + " it";
      assertThatThrownBy(() -> other.invoke(closure, 1)).hasMessage(message);
      assertThatThrownBy(() -> other.function("apply").call(closure, 1))
          .hasMessage(
              message + "\n  at function apply, pc 7: call invoke_closure in: %vm, %0, %1 dst: %2");
      assertThat(one.invoke(closure, 1).asTuple().size()).isEqualTo(3);
    }
  }
}
