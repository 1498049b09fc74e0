package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.vmcore.executable.Arg;

/** Instruments (docs/spec/vm-semantics.md, section 8). */
class InstrumentTest {
  private final TestDevices devices = new TestDevices();

  @AfterEach
  void close() {
    devices.close();
  }

  private static TestProgram program() {
    TestProgram program = new TestProgram();
    Arg dtype = program.constant(DType.FLOAT32);
    return program
        .function("main", 1, 2, "x")
        .call("kind", 1, dtype)
        .call("inner", 1, r(0))
        .call("invoke_closure", 1, Arg.VM, program.functionValue("inner"), r(1))
        .ret(1)
        .function("inner", 1, 2, "x")
        .call("add", 1, r(0), imm(1))
        .ret(1);
  }

  /** Writes down what it sees. */
  private static class Recorder implements Instrument {
    final List<String> log = new ArrayList<>();

    @Override
    public Action before(Object function, String symbol, CallArgs args) {
      log.add("before " + symbol + arguments(args));
      return Action.RUN;
    }

    @Override
    public void after(Object function, String symbol, CallArgs args, @Nullable Object result) {
      log.add("after " + symbol + arguments(args) + " = " + result);
    }

    private static String arguments(CallArgs args) {
      return Arrays.stream(args.toArray())
          .map(value -> String.valueOf(value).replaceAll("context .*", "context"))
          .toList()
          .toString();
    }
  }

  @Test
  void everyCallIsSeenBeforeAndAfter() {
    Recorder recorder = new Recorder();
    try (VirtualMachine vm = TestFunctions.builder(program(), devices).build()) {
      vm.instrument(recorder);
      assertThat(vm.function("main").call(5).asLong()).isEqualTo(7);
      vm.instrument(null);
      vm.function("main").call(5);
    }
    assertThat(recorder.log)
        .containsExactly(
            "before kind[float32]",
            "after kind[float32] = DataType",
            "before inner[5]",
            "before add[5, 1]",
            "after add[5, 1] = 6",
            "after inner[5] = 6",
            "before invoke_closure[context, closure of inner with 0 bound values, 6]",
            "before add[6, 1]",
            "after add[6, 1] = 7",
            "after invoke_closure[context, closure of inner with 0 bound values, 6] = 7");
  }

  @Test
  void dtypesAreSeenAsStringsButTheCalleeGetsTheOriginal() {
    List<@Nullable Object> seen = new ArrayList<>();
    TestProgram program = new TestProgram();
    Arg dtype = program.constant(DType.INT8);
    program.function("main", 0, 1).call("kind", 0, dtype).ret(0);
    Instrument instrument =
        (_, _, args) -> {
          seen.add(args.at(0));
          return Instrument.Action.RUN;
        };
    try (VirtualMachine vm =
        TestFunctions.builder(program, devices).instrument(instrument).build()) {
      assertThat(vm.function("main").call().asString()).isEqualTo("DataType");
    }
    assertThat(seen).containsExactly("int8");
  }

  @Test
  void skippedCallGivesNullAndHasNoAfter() {
    Recorder recorder =
        new Recorder() {
          @Override
          public Action before(Object function, String symbol, CallArgs args) {
            super.before(function, symbol, args);
            return symbol.equals("kind") ? Action.RUN : Action.SKIP;
          }
        };
    try (VirtualMachine vm =
        TestFunctions.builder(program(), devices).instrument(recorder).build()) {
      assertThat(vm.function("main").call(5).isNull()).isTrue();
    }
    assertThat(recorder.log)
        .containsExactly(
            "before kind[float32]",
            "after kind[float32] = DataType",
            "before inner[5]",
            "before invoke_closure[context, closure of inner with 0 bound values, null]");
  }

  @Test
  void packedInstrumentSkipsWithOneOrTrueOnly() {
    for (Object answer : new Object[] {1, true}) {
      assertThat(callWithAnswer(answer)).as("%s", answer).isNull();
    }
    for (Object answer : new Object[] {0, 2, false, 1.0, "1"}) {
      assertThat(callWithAnswer(answer)).as("%s", answer).isEqualTo(7L);
    }
  }

  private @Nullable Object callWithAnswer(Object answer) {
    TestProgram program = new TestProgram().function("main", 0, 1).call("copy", 0, imm(7)).ret(0);
    Instrument instrument =
        Instrument.of(
            (args, result) -> {
              assertThat(args.stringAt(1)).isEqualTo("copy");
              if (args.booleanAt(2)) {
                assertThat(args.isNull(3)).isTrue();
                result.set(answer);
              } else {
                assertThat(args.longAt(3)).isEqualTo(7);
              }
              assertThat(args.longAt(4)).isEqualTo(7);
            });
    try (VirtualMachine vm =
        TestFunctions.builder(program, devices).instrument(instrument).build()) {
      return vm.function("main").call().object();
    }
  }

  @Test
  void exceptionOfAnInstrumentEndsTheCallAndLeavesTheVmUsable() {
    TestProgram program =
        new TestProgram()
            .function("main", 0, 1)
            .call("make", 0)
            .ret(0)
            .function("make", 0, 1)
            .call("new_tensor", 0, Arg.VM, imm(4))
            .ret(0);
    for (String moment : List.of("before new_tensor", "after new_tensor", "after make")) {
      Instrument instrument = new Thrower(moment);
      try (VirtualMachine vm = TestFunctions.builder(program, devices).build()) {
        vm.instrument(instrument);
        assertThatThrownBy(() -> vm.function("main").call())
            .isInstanceOf(CallException.class)
            .hasMessageStartingWith("instrument refuses " + moment + "\n  at function ");
        assertThat(vm.memoryStats().getFirst().liveBlocks()).as(moment).isZero();
        vm.instrument(null);
        vm.function("main").call().close();
      }
    }
  }

  private record Thrower(String moment) implements Instrument {
    @Override
    public Action before(Object function, String symbol, CallArgs args) {
      check("before " + symbol);
      return Action.RUN;
    }

    @Override
    public void after(Object function, String symbol, CallArgs args, @Nullable Object result) {
      check("after " + symbol);
    }

    private void check(String now) {
      if (now.equals(moment)) {
        throw new CallException(ErrorKind.RUNTIME, "instrument refuses " + now);
      }
    }
  }
}
