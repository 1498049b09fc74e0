package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.engine.CallSite;
import org.relaxvm.api.engine.DirectCall;
import org.relaxvm.api.engine.DirectFunction;
import org.relaxvm.api.engine.Registers;
import org.relaxvm.vmcore.executable.Arg;

/** Direct calls, which both tiers make in place of calls of packed functions. */
class DirectCallTest {
  private final TestDevices devices = new TestDevices();
  private final List<String> events = new ArrayList<>();

  @AfterEach
  void close() {
    devices.close();
  }

  /** Divides: directly by constants, unless the number is negative. */
  private final class Divide implements DirectFunction {
    @Override
    public @Nullable DirectCall specialize(CallSite site) {
      if (!site.isRegister(0) || !site.isConstantInt(1)) {
        return null;
      }
      int number = site.register(0);
      int destination = site.destination();
      long divisor = site.constantBits(1);
      return (refs, bits, base) -> {
        long value = bits[base + number];
        if (value < 0) {
          events.add("declined");
          return false;
        }
        events.add("direct");
        Registers.write(refs, bits, base, destination, ScalarTag.INT, value / divisor);
        return true;
      };
    }

    @Override
    public void call(CallArgs args, CallResult result) {
      events.add("general");
      result.setLong(args.longAt(0) / args.longAt(1));
    }
  }

  /** Gives the argument back. */
  private final class Same implements DirectFunction {
    @Override
    public DirectCall specialize(CallSite site) {
      return new SameCall(site.register(0), site.destination());
    }

    @Override
    public void call(CallArgs args, CallResult result) {
      result.setArgument(args, 0);
    }
  }

  private final class SameCall implements DirectCall {
    private final int register;
    private final int destination;

    SameCall(int register, int destination) {
      this.register = register;
      this.destination = destination;
    }

    @Override
    public boolean call(@Nullable Object[] refs, long[] bits, int base) {
      events.add("copied");
      Registers.copy(refs, bits, base, destination, refs[base + register], bits[base + register]);
      return true;
    }

    @Override
    public @Nullable DirectCall taking(int taken) {
      return (refs, bits, base) -> {
        events.add("moved " + (taken == register));
        Object value = refs[base + register];
        refs[base + register] = null;
        Registers.write(refs, bits, base, destination, value, bits[base + register]);
        return true;
      };
    }
  }

  private VirtualMachine vm(TestProgram program, Tier tier) {
    return TestFunctions.builder(program, devices)
        .tier(tier)
        .function("divide", new Divide())
        .function("same", new Same())
        .build();
  }

  private static TestProgram divisions() {
    return new TestProgram()
        .function("main", 2, 4, "n", "d")
        .call("divide", 2, r(0), imm(3))
        .call("divide", 3, r(2), r(1))
        .call("add", 2, r(2), r(3))
        .ret(2);
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void callsAreMadeDirectlyWhereThereIsAFormThatDoesNotDecline(Tier tier) {
    try (VirtualMachine vm = vm(divisions(), tier)) {
      assertThat(vm.function("main").call(30, 2).asLong()).isEqualTo(15);
      assertThat(events).containsExactly("direct", "general");
      events.clear();
      assertThat(vm.function("main").call(-30, 2).asLong()).isEqualTo(-15);
      assertThat(events).containsExactly("declined", "general", "general");
      assertThat(vm.executedInstructions()).isEqualTo(8);
    }
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void failuresOfDirectCallsNameTheirInstructionAndAreCounted(Tier tier) {
    TestProgram program =
        new TestProgram()
            .function("main", 1, 2, "n")
            .call("add", 0, r(0), imm(1))
            .call("divide", 1, r(0), imm(0))
            .ret(1);
    try (VirtualMachine vm = vm(program, tier)) {
      assertThat(catchThrowable(() -> vm.function("main").call(1)))
          .hasMessage(
              """
              divide failed: java.lang.ArithmeticException: / by zero
                at function main, pc 1: call divide in: %0, i0 dst: %1\
              """);
      assertThat(vm.executedInstructions()).isEqualTo(2);
    }
  }

  @Test
  void anInstrumentSeesGeneralCalls() {
    try (VirtualMachine vm = vm(divisions(), Tier.COMPILED)) {
      vm.instrument(Instrument.of((args, result) -> {}));
      assertThat(vm.function("main").call(30, 2).asLong()).isEqualTo(15);
      assertThat(events).containsExactly("general", "general");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Tier.class,
      names = {"INTERPRETER", "COMPILED"})
  void compiledCodeTakesTheOwnersOfValuesThatAreNotReadAgain(Tier tier) {
    TestProgram program =
        new TestProgram()
            .function("main", 0, 3)
            .call("new_tensor", 0, Arg.VM, imm(4))
            .call("same", 1, r(0))
            .call("same", 2, r(0))
            .call("tuple", 1, r(1), r(2))
            .ret(1);
    try (VirtualMachine vm = vm(program, tier)) {
      vm.function("main").call().close();
      assertThat(events).containsExactly("copied", tier == Tier.COMPILED ? "moved true" : "copied");
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }
}
