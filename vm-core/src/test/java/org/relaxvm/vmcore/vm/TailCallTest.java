package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.engine.RegisterMove;
import org.relaxvm.api.error.CallException;
import org.relaxvm.vmcore.executable.Arg;

/** Calls whose result is returned reuse the frame, in all tiers. */
class TailCallTest {
  private static final int MILLION = 1_000_000;
  private static final Limits SHALLOW = Limits.defaults().withMaxDepth(4).withMaxStackBytes(4096);

  private final TestDevices devices = new TestDevices();

  @AfterEach
  void close() {
    devices.close();
  }

  private VirtualMachine vm(TestProgram program, Tier tier) {
    return builder(program, tier).build();
  }

  private VmBuilder builder(TestProgram program, Tier tier) {
    return TestFunctions.builder(program, devices)
        .tier(tier)
        .limits(SHALLOW)
        .function("move", new Move(1))
        .function("clear", new Move(0));
  }

  private record Move(int argumentCount) implements RegisterMove {
    @Override
    public void call(CallArgs args, CallResult result) {
      if (argumentCount == 1) {
        result.setArgument(args, 0);
      }
    }
  }

  /** {@code count(n, sum) = n > 0 ? count(n - 1, sum + n) : sum}, as compilers write it. */
  private static TestProgram self(String condition) {
    return new TestProgram()
        .function("count", 2, 6, "n", "sum")
        .call(condition, 2, r(0))
        .branch(2, 6)
        .call("add", 3, r(1), r(0))
        .call("add", 4, r(0), imm(-1))
        .call("count", 5, r(4), r(3))
        .call("move", 2, r(5))
        .jump(2)
        .call("copy", 2, r(1))
        .ret(2);
  }

  /** {@code even(n) = n > 0 ? odd(n - 1) : true}, {@code odd(n) = n > 0 ? even(n - 1) : false}. */
  private static TestProgram mutual() {
    TestProgram program = new TestProgram();
    half(program, "even", "odd", 1);
    half(program, "odd", "even", 0);
    return program;
  }

  private static void half(TestProgram program, String name, String other, long atEnd) {
    program
        .function(name, 1, 3, "n")
        .call("positive", 1, r(0))
        .branch(1, 5)
        .call("add", 2, r(0), imm(-1))
        .call(other, 2, r(2))
        .call("clear", 0)
        .jump(2)
        .call("copy", 2, imm(atEnd))
        .ret(2);
  }

  /** A loop through a closure that holds a tensor. */
  private static TestProgram closures() {
    TestProgram program = new TestProgram();
    return program
        .function("step", 3, 6, "n", "self", "held")
        .call("positive", 3, r(0))
        .branch(3, 5)
        .call("add", 4, r(0), imm(-1))
        .call("make_closure", 5, r(1), r(2))
        .call("invoke_closure", 3, Arg.VM, r(5), r(4), r(1))
        .jump(2)
        .call("copy", 3, r(2))
        .ret(3)
        .function("main", 1, 4, "n")
        .call("new_tensor", 1, Arg.VM, imm(2))
        .call("step", 2, r(0), program.functionValue("step"), r(1))
        .ret(2);
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void aMillionCallsOfItselfNeedOneFrame(Tier tier) {
    try (VirtualMachine vm = vm(self("positive"), tier)) {
      assertThat(vm.function("count").call(MILLION, 0).asLong())
          .isEqualTo(MILLION * (MILLION + 1L) / 2);
    }
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void aMillionMutualCallsNeedOneFrame(Tier tier) {
    try (VirtualMachine vm = vm(mutual(), tier)) {
      assertThat(vm.function("even").call(MILLION).asLong()).isEqualTo(1);
      assertThat(vm.function("even").call(MILLION + 1).asLong()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void aHundredThousandCallsOfClosuresNeedOneFrameAndLeakNothing(Tier tier) {
    try (VirtualMachine vm = vm(closures(), tier)) {
      for (int i = 0; i < 2; i++) {
        vm.function("main").call(MILLION / 10).close();
        assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void errorsSayHowManyFramesWereDropped(Tier tier) {
    TestProgram program =
        self("watched").function("main", 1, 2, "n").call("count", 1, r(0), imm(0)).ret(1);
    AtomicLong calls = new AtomicLong();
    try (VirtualMachine vm =
        builder(program, tier)
            .function(
                "watched",
                (args, result) -> {
                  if (calls.incrementAndGet() == 1_000) {
                    throw new IllegalStateException("the thousandth");
                  }
                  result.setBoolean(true);
                })
            .build()) {
      assertThatThrownBy(() -> vm.function("main").call(5_000))
          .hasMessage(
              """
              watched failed: java.lang.IllegalStateException: the thousandth
                at function count, pc 0: call watched in: %0 dst: %2 (tail calls dropped 999 frames before)
                at function main, pc 9: call count in: %0, i0 dst: %1\
              """);
    }
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void aWrongNumberOfArgumentsIsReportedWhereTheCallIs(Tier tier) {
    TestProgram program =
        new TestProgram().function("main", 1, 2, "n").call("main", 1, r(0), r(0)).ret(1);
    try (VirtualMachine vm = vm(program, tier)) {
      assertThatThrownBy(() -> vm.function("main").call(1))
          .isInstanceOf(CallException.class)
          .hasMessageContaining("at function main, pc 0: call main in: %0, %0 dst: %1");
    }
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void anInstrumentSeesTheEndOfEachCall(Tier tier) {
    AtomicLong calls = new AtomicLong();
    try (VirtualMachine vm = builder(self("positive"), tier).limits(Limits.defaults()).build()) {
      vm.instrument(
          Instrument.of(
              (args, result) -> {
                calls.incrementAndGet();
                result.setBoolean(false);
              }));
      assertThat(vm.function("count").call(10, 0).asLong()).isEqualTo(55);
      assertThat(calls.get()).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void callsOfClosuresThatAnInstrumentSeesNestInNoJavaFrames(Tier tier) {
    Limits limits = Limits.defaults().withMaxNesting(1);
    try (VirtualMachine vm = builder(closures(), tier).limits(limits).build()) {
      vm.instrument((function, symbol, args) -> Instrument.Action.RUN);
      vm.function("main").call(1_000).close();
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void aCallOfAClosureThatBeginsNoRecursionKeepsItsFrame(Tier tier) {
    TestProgram program = new TestProgram();
    program
        .function("called", 1, 2, "x")
        .call("fail", 1, r(0))
        .ret(1)
        .function("main", 1, 2, "x")
        .call("invoke_closure", 1, Arg.VM, program.functionValue("called"), r(0))
        .ret(1);
    try (VirtualMachine vm = vm(program, tier)) {
      assertThatThrownBy(() -> vm.function("main").call(1))
          .hasMessage(
              """
              fail failed: java.lang.IllegalStateException: kernel broke
                at function called, pc 0: call fail in: %0 dst: %1
                at function main, pc 2: call invoke_closure in: %vm, f[called], %0 dst: %1\
              """);
    }
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void aCallWhoseResultIsUsedKeepsItsFrame(Tier tier) {
    TestProgram program =
        new TestProgram()
            .function("count", 1, 3, "n")
            .call("positive", 1, r(0))
            .branch(1, 5)
            .call("add", 2, r(0), imm(-1))
            .call("count", 2, r(2))
            .call("add", 2, r(2), imm(1))
            .jump(2)
            .call("copy", 2, imm(0))
            .ret(2);
    try (VirtualMachine vm = vm(program, tier)) {
      assertThat(vm.function("count").call(3).asLong()).isEqualTo(3);
      assertThatThrownBy(() -> vm.function("count").call(4))
          .hasMessageContaining("would be frame 5");
    }
  }
}
