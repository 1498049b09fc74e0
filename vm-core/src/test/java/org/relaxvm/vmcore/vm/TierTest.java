package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.vmcore.executable.Arg;

/** The tiers: what is compiled, and that nobody sees it. */
class TierTest {
  private final TestDevices devices = new TestDevices();
  private volatile WeakReference<Class<?>> hidden = new WeakReference<>(null);

  @AfterEach
  void close() {
    devices.close();
  }

  private VirtualMachine vm(TestProgram program, Tier tier) {
    return TestFunctions.builder(program, devices)
        .tier(tier)
        .function("see", (args, result) -> result.setBoolean(seesCompiledCode()))
        .function("divide", (args, result) -> result.setLong(args.longAt(0) / args.longAt(1)))
        .build();
  }

  private boolean seesCompiledCode() {
    return StackWalker.getInstance(
            Set.of(
                StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_HIDDEN_FRAMES))
        .walk(
            frames ->
                frames
                        .map(StackWalker.StackFrame::getDeclaringClass)
                        .filter(
                            type -> type.getName().startsWith("org.relaxvm.vmcore.tier.Function/"))
                        .peek(type -> hidden = new WeakReference<>(type))
                        .count()
                    > 0);
  }

  /**
   * {@code sum(n)} adds the numbers from n to 1 in a loop, each divided by itself less {@code d}.
   */
  private static TestProgram sum() {
    return new TestProgram()
        .function("sum", 2, 5, "n", "d")
        .call("copy", 2, imm(0))
        .call("positive", 3, r(0))
        .branch(3, 6)
        .call("add", 3, r(0), r(1))
        .call("divide", 3, r(0), r(3))
        .call("add", 2, r(2), r(0))
        .call("add", 0, r(0), imm(-1))
        .jump(-6)
        .call("see", 4)
        .ret(2);
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void countsAndResultsAreThoseOfTheInterpreter(Tier tier) {
    try (VirtualMachine vm = vm(sum(), tier)) {
      assertThat(vm.function("sum").call(100, 0).asLong()).isEqualTo(5050);
      assertThat(vm.executedInstructions()).isEqualTo(1 + 100 * 7 + 2 + 2);
    }
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void failuresNameTheirInstructionAndAreCounted(Tier tier) {
    try (VirtualMachine vm = vm(sum(), tier)) {
      Throwable failure = catchThrowable(() -> vm.function("sum").call(10, -3));

      assertThat(failure)
          .hasMessage(
              """
              divide failed: java.lang.ArithmeticException: / by zero
                at function sum, pc 4: call divide in: %0, %3 dst: %3\
              """);
      assertThat(vm.executedInstructions()).isEqualTo(1 + 7 * 7 + 4);
    }
  }

  @Test
  void oneTierIsCompiledAtTheFirstCallAndOneNever() {
    TestProgram program = new TestProgram().function("main", 0, 1).call("see", 0).ret(0);
    try (VirtualMachine compiled = vm(program, Tier.COMPILED);
        VirtualMachine interpreted = vm(program, Tier.INTERPRETER)) {
      assertThat(compiled.function("main").call().asBoolean()).isTrue();
      assertThat(interpreted.function("main").call().asBoolean()).isFalse();
    }
  }

  @Test
  void callsThatAreWatchedOrLimitedAreInterpreted() {
    TestProgram program = new TestProgram().function("main", 0, 1).call("see", 0).ret(0);
    try (VirtualMachine watched = vm(program, Tier.COMPILED);
        VirtualMachine limited =
            TestFunctions.builder(program, devices)
                .tier(Tier.COMPILED)
                .limits(Limits.defaults().withMaxInstructions(100))
                .function("see", (args, result) -> result.setBoolean(seesCompiledCode()))
                .build()) {
      watched.instrument(Instrument.of((args, result) -> {}));
      assertThat(watched.function("main").call().asBoolean()).isFalse();
      assertThat(limited.function("main").call().asBoolean()).isFalse();
    }
  }

  @Test
  void whatLoopsOftenIsCompiledInTheBackground() {
    TestProgram program =
        new TestProgram()
            .function("main", 1, 3)
            .call("positive", 1, r(0))
            .branch(1, 3)
            .call("add", 0, r(0), imm(-1))
            .jump(-3)
            .call("see", 2)
            .ret(2);
    try (VirtualMachine vm = vm(program, Tier.AUTO)) {
      assertThat(vm.function("main").call(10).asBoolean()).isFalse();
      Assertions.assertTimeoutPreemptively(
          Duration.ofSeconds(60),
          () -> {
            while (!vm.function("main").call(10_000).asBoolean()) {
              Thread.sleep(1);
            }
          });
    }
  }

  /** Long enough for several methods. */
  @Test
  void longFunctionsAreDivided() {
    TestProgram program = new TestProgram().function("main", 1, 1_002, "x");
    for (int i = 1; i <= 1_000; i++) {
      program.call("add", i, r(i - 1), r(i > 40 ? i - 40 : 0));
    }
    program.call("see", 1_001).ret(1_000);
    try (VirtualMachine compiled = vm(program, Tier.COMPILED);
        VirtualMachine interpreted = vm(program, Tier.INTERPRETER)) {
      assertThat(compiled.function("main").call(1).asLong())
          .isEqualTo(interpreted.function("main").call(1).asLong());
      assertThat(hidden.get()).isNotNull();
    }
  }

  @Test
  void valuesAreReleasedAfterTheyAreReadLast() {
    TestProgram program =
        new TestProgram()
            .function("main", 0, 3)
            .call("new_tensor", 0, Arg.VM, imm(4))
            .call("copy", 1, r(0))
            .call("kind", 2, r(1))
            .call("blocks", 2)
            .ret(2);
    for (Tier tier : List.of(Tier.COMPILED, Tier.INTERPRETER)) {
      VirtualMachine[] machine = new VirtualMachine[1];
      try (VirtualMachine vm =
          TestFunctions.builder(program, devices)
              .tier(tier)
              .function(
                  "blocks",
                  (args, result) ->
                      result.setLong(machine[0].memoryStats().getFirst().liveBlocks()))
              .build()) {
        machine[0] = vm;
        assertThat(vm.function("main").call().asLong()).isEqualTo(tier == Tier.COMPILED ? 0 : 1);
        assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
      }
    }
  }

  @Test
  void nothingLeaksWhereverACallFails() {
    for (int failing = 0; failing < 6; failing++) {
      int chosen = failing;
      int[] calls = new int[1];
      TestProgram program =
          new TestProgram()
              .function("main", 0, 4)
              .call("new_tensor", 0, Arg.VM, imm(4))
              .call("step", 1, r(0))
              .call("new_tensor", 1, Arg.VM, imm(4))
              .call("step", 2, r(1))
              .call("tuple", 1, r(0), r(1), r(2))
              .call("step", 3, r(1))
              .call("copy", 0, r(3))
              .call("step", 0, r(0))
              .call("step", TestProgram.VOID, r(0))
              .call("step", 2, r(0), r(0))
              .ret(2);
      try (VirtualMachine vm =
          TestFunctions.builder(program, devices)
              .tier(Tier.COMPILED)
              .function(
                  "step",
                  (args, result) -> {
                    result.setArgument(args, 0);
                    if (calls[0]++ == chosen) {
                      throw new IllegalStateException("step " + chosen);
                    }
                  })
              .build()) {
        assertThat(catchThrowable(() -> vm.function("main").call())).isNotNull();
        assertThat(vm.memoryStats().getFirst().liveBlocks()).as("step %d", failing).isZero();
        vm.function("main").call().close();
        assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
      }
    }
  }

  @Test
  void classesAreUnloadedWithTheirProgram() throws InterruptedException {
    List<WeakReference<Class<?>>> classes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      TestProgram program = new TestProgram().function("main", 0, 1).call("see", 0).ret(0);
      try (VirtualMachine vm = vm(program, Tier.COMPILED)) {
        assertThat(vm.function("main").call().asBoolean()).isTrue();
        classes.add(hidden);
      }
    }
    for (int i = 0; i < 100 && classes.stream().anyMatch(c -> c.get() != null); i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(classes).allSatisfy(type -> assertThat(type.get()).isNull());
  }
}
