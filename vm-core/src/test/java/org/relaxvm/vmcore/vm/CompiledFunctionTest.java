package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.engine.AnyList;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.spi.Module;

/** Functions with compiled bodies (docs/spec/vm-semantics.md, section 6). */
class CompiledFunctionTest {
  private final TestDevices devices = new TestDevices();

  @AfterEach
  void close() {
    devices.close();
  }

  /** Registers: two parameters, the result, one more. Fails when the first argument is not 0. */
  private static void body(CallArgs args, CallResult result) {
    VmContext context = args.contextAt(0);
    AnyList registers = list(args.at(1));
    AnyList constants = list(args.at(2));
    AnyList functions = list(args.at(3));
    assertThat(registers.size()).isEqualTo(4);
    assertThat(constants.get(0)).isEqualTo(Shape.of(5));
    assertThat(functions.get(0)).hasToString("closure of main with 0 bound values");
    Tensor made =
        DeviceTensors.allocate(context.allocator(0), DType.INT8, Shape.of(5), context.stream(0));
    registers.set(2, made);
    registers.set(3, made);
    made.release();
    if (registers.get(0) instanceof Long number && number != 0) {
      throw new CallException(ErrorKind.VALUE, "refused by the body");
    }
  }

  private static AnyList list(@Nullable Object value) {
    assertThat(value).isInstanceOf(AnyList.class);
    return (AnyList) Objects.requireNonNull(value);
  }

  private VirtualMachine vm() {
    TestProgram program = new TestProgram().compiled("main", 2, 4);
    program.constant(Shape.of(5));
    program.function("outer", 2, 3).call("main", 2, r(0), r(1)).ret(2);
    return TestFunctions.builder(program, devices)
        .module(Module.of("library", Map.of("__vmtir__main", CompiledFunctionTest::body)))
        .build();
  }

  @Test
  void bodyGetsRegistersAndItsResultIsTaken() {
    try (VirtualMachine vm = vm();
        Tensor direct = vm.function("main").call(0, "x").asTensor();
        Tensor called = vm.function("outer").call(0, "x").asTensor()) {
      assertThat(direct.shape()).isEqualTo(Shape.of(5));
      assertThat(called.dtype()).isEqualTo(DType.INT8);
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isEqualTo(2);
    }
  }

  @Test
  void allRegistersAreReleasedAfterAFailure() {
    try (VirtualMachine vm = vm()) {
      assertThatThrownBy(() -> vm.function("outer").call(1, "x"))
          .hasMessage(
              """
              refused by the body
                at function outer, pc 0: call main in: %0, %1 dst: %2\
              """);
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }

  @Test
  void wrongArgumentCountIsRefused() {
    try (VirtualMachine vm = vm()) {
      assertThatThrownBy(() -> vm.function("main").call(1))
          .hasMessage("main takes 2 arguments, got 1 argument");
    }
  }
}
