package org.relaxvm.integrationtests.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.FullText;
import org.relaxvm.vmcore.vm.Limits;
import org.relaxvm.vmcore.vm.Parallelism;
import org.relaxvm.vmcore.vm.Tier;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/** Random programs do the same in the VM and in a second evaluator. */
@Tag("effort")
class DifferentialTest {
  private static final RandomCases CASES =
      RandomCases.of(Effort.chosen().pick(700, 2_000, 100_000));
  // Not the generator's own step, with which each case would continue the case before.
  private static final long SPREAD = 0xD134_2543_DE82_EF95L;
  private static final long MOST_INSTRUCTIONS = 1_000;

  @Test
  void randomProgramsDoTheSameAsInTheSecondEvaluator() {
    System.out.println("DifferentialTest: " + CASES);
    long failed = 0;
    long compiled = 0;
    try (BackendRegistry registry = BackendRegistry.discover()) {
      for (long number : CASES.numbers().toArray()) {
        SplittableRandom random = new SplittableRandom(CASES.seed() + SPREAD * number);
        Executable executable = new ProgramGenerator(random).generate();
        @Nullable Object[] args = {(long) random.nextInt(5), random.nextBoolean()};
        Outcome expected = reference(executable, args);
        String program =
            "%s, called with %s:%n%s"
                .formatted(CASES.repeat(number), Arrays.toString(args), FullText.print(executable));
        Limits bounded = Limits.defaults().withMaxInstructions(MOST_INSTRUCTIONS);
        assertThat(product(executable, args, registry, builder -> builder.limits(bounded), null))
            .as(program)
            .isEqualTo(expected.withoutTrace());
        TracingInstrument instrument = new TracingInstrument();
        assertThat(
                product(executable, args, registry, builder -> builder.limits(bounded), instrument))
            .as("with an instrument, " + program)
            .isEqualTo(expected);
        // Limited calls are interpreted.
        if (expected.executed() < MOST_INSTRUCTIONS) {
          assertThat(
                  product(
                      executable,
                      args,
                      registry,
                      builder ->
                          builder.tier(Tier.COMPILED).parallelism(Parallelism.of(2).always()),
                      null))
              .as("compiled, " + program)
              .isEqualTo(expected.withoutTrace());
          compiled++;
        }
        failed += expected.result().contains("Error: ") ? 1 : 0;
      }
    }
    System.out.println("DifferentialTest: " + failed + " of " + CASES.count() + " programs fail");
    assertThat(compiled).as("programs that are compiled").isGreaterThan(CASES.count() / 4);
    assertThat(failed).as("programs that fail").isLessThan(1 + CASES.count() * 3 / 4);
  }

  private static Outcome reference(Executable executable, @Nullable Object[] args) {
    ReferenceVm vm = new ReferenceVm(executable, MOST_INSTRUCTIONS);
    String result;
    try {
      int main = executable.functionIndex("f0").orElseThrow();
      result = Rendering.ofReference(vm.call(main, Arrays.asList(args)));
    } catch (ReferenceError e) {
      result = Outcome.failure(e.kind(), String.valueOf(e.getMessage()));
    }
    return new Outcome(result, List.copyOf(vm.calls()), vm.executed(), List.copyOf(vm.trace()));
  }

  private static Outcome product(
      Executable executable,
      @Nullable Object[] args,
      BackendRegistry registry,
      UnaryOperator<VmBuilder> settings,
      @Nullable TracingInstrument instrument) {
    HostFunctions host = new HostFunctions();
    VmBuilder builder =
        settings.apply(VirtualMachine.builder(Program.of(executable)).registry(registry));
    host.register(builder);
    if (instrument != null) {
      builder.instrument(instrument);
    }
    try (VirtualMachine vm = builder.build()) {
      String result;
      try (Value value = vm.function("f0").call(args)) {
        result = Rendering.ofProduct(value.object());
      } catch (RelaxException e) {
        result = Outcome.failure(e.kind(), e.tvmMessage().orElse(e.summary()));
      }
      assertThat(vm.memoryStats().getFirst().liveBlocks())
          .as("blocks that are held after the call")
          .isZero();
      List<String> trace = instrument == null ? List.of() : List.copyOf(instrument.trace());
      return new Outcome(result, List.copyOf(host.calls()), vm.executedInstructions(), trace);
    }
  }
}
