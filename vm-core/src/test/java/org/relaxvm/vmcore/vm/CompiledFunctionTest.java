package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.engine.AnyList;
import org.relaxvm.api.engine.ProgramCalls;
import org.relaxvm.api.engine.ProgramContext;
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

  /** Counts down to 0 by calls of itself, through the function table. */
  private static void countDown(CallArgs args, CallResult result) {
    ProgramContext context = (ProgramContext) args.contextAt(0);
    AnyList registers = list(args.at(1));
    ProgramCalls calls = context.calls();
    Object count = registers.get(0);
    if (count instanceof Long left && left > 0) {
      calls.call(calls.find("add"), CallArgs.of(context, new Object[] {left, -1L}), result);
      Object less = result.takeRef() == ScalarTag.INT ? result.bits() : null;
      calls.call(
          calls.find("invoke_closure"),
          CallArgs.of(context, new Object[] {context, list(args.at(3)).get(0), less}),
          result);
      long bits = result.bits();
      registers.move(1, result.takeRef(), bits);
    } else {
      registers.set(1, "done");
    }
  }

  private VmBuilder countingDown() {
    TestProgram program = new TestProgram().compiled("main", 1, 2);
    program.function("declares", 0, 1).call("add", 0).call("invoke_closure", 0).ret(0);
    return TestFunctions.builder(program, devices)
        .module(Module.of("library", Map.of("__vmtir__main", CompiledFunctionTest::countDown)));
  }

  @Test
  void bodiesCallThroughTheFunctionTableAndAreSeenByInstruments() {
    List<String> seen = new ArrayList<>();
    try (VirtualMachine vm = countingDown().build()) {
      vm.instrument(
          new Instrument() {
            @Override
            public Action before(Object function, String symbol, CallArgs args) {
              seen.add(symbol);
              return symbol.equals("add") && args.longAt(0) == 1 ? Action.SKIP : Action.RUN;
            }

            @Override
            public void after(
                Object function, String symbol, CallArgs args, @Nullable Object result) {
              seen.add(symbol + " = " + result);
            }
          });
      // The call of add that was skipped gives null, which ends the recursion.
      try (Value result = vm.function("main").call(2)) {
        assertThat(result.asString()).isEqualTo("done");
      }
      assertThat(seen)
          .containsExactly(
              "add",
              "add = 1",
              "invoke_closure",
              "add",
              "invoke_closure",
              "invoke_closure = done",
              "invoke_closure = done");
    }
  }

  @Test
  void limitsHoldForCompiledFunctions() {
    try (VirtualMachine vm = countingDown().build()) {
      vm.function("main").call(100).close();
      assertThatThrownBy(() -> vm.function("main").call(1_000))
          .hasMessageContaining("nested 200 deep; the call of function main was refused");
      vm.function("main").call(100).close();
    }
    try (VirtualMachine vm = countingDown().limits(Limits.defaults().withMaxDepth(5)).build()) {
      vm.function("main").call(4).close();
      assertThatThrownBy(() -> vm.function("main").call(5))
          .hasMessageStartingWith("the call of function main would be frame 6, but the limit is 5");
      vm.function("main").call(4).close();
    }
    try (VirtualMachine vm =
        countingDown().limits(Limits.defaults().withMaxInstructions(10)).build()) {
      vm.function("main").call(5).close();
      assertThatThrownBy(() -> vm.function("main").call(6))
          .hasMessageStartingWith("the call executed more than 10 instructions");
      assertThat(vm.executedInstructions()).isEqualTo(20);
    }
  }

  @Test
  void aNameThatTheTableLacksIsRefused() {
    TestProgram program = new TestProgram().compiled("main", 0, 1);
    try (VirtualMachine vm =
        TestFunctions.builder(program, devices)
            .module(
                Module.of(
                    "library",
                    Map.of(
                        "__vmtir__main",
                        (args, result) ->
                            ((ProgramContext) args.contextAt(0)).calls().find("copy"))))
            .build()) {
      assertThatThrownBy(() -> vm.function("main").call())
          .hasMessageStartingWith(
              "a compiled function calls copy, which the function table of its program does not"
                  + " declare\n");
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
