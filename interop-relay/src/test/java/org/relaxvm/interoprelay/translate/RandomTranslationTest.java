package org.relaxvm.interoprelay.translate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Value;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.interoprelay.proposal.RelayTestFunctions;
import org.relaxvm.interoprelay.proposal.interp.InterpreterOptions;
import org.relaxvm.interoprelay.proposal.interp.RelayInterpreter;
import org.relaxvm.interoprelay.proposal.text.RelayText;
import org.relaxvm.interoprelay.random.RandomProgram;
import org.relaxvm.interoprelay.random.RandomRelayPrograms;
import org.relaxvm.interoprelay.random.ValueText;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.ExecutableReader;
import org.relaxvm.vmcore.executable.ExecutableWriter;
import org.relaxvm.vmcore.text.ExecutableText;

/** Random programs do the same directly and translated, whatever the options. */
@Tag("effort")
class RandomTranslationTest {
  private static final BackendRegistry REGISTRY =
      BackendRegistry.builder().add(new CpuBackendProvider()).add(new BuiltinFunctions()).build();

  @AfterAll
  static void closeRegistry() {
    REGISTRY.close();
  }

  @Test
  void translatedProgramsDoWhatTheInterpreterDoes() {
    RandomCases cases = RandomCases.of(Effort.chosen().pick(100, 2_000, 100_000));
    Map<PhiStrategy, Integer> runTimePhis = new EnumMap<>(PhiStrategy.class);
    cases
        .numbers()
        .forEach(
            number -> {
              RandomProgram program =
                  RandomRelayPrograms.of(cases.seed() + number, number % 4 == 0);
              String what = cases.repeat(number) + "\n" + RelayText.print(program.module());
              String expected = interpreted(program, what);
              for (PhiStrategy phis : PhiStrategy.values()) {
                Executable executable =
                    ProposalTranslator.translate(program.module(), options(number, phis));
                String listing = ExecutableText.asText(executable);
                if (listing.contains("vm.builtin.phi ")) {
                  runTimePhis.merge(phis, 1, Integer::sum);
                }
                String explained = phis + " " + what + "\n" + listing;
                assertThat(translated(program, executable, explained))
                    .as(explained)
                    .isEqualTo(expected);
                assertThat(ExecutableText.asText(readBack(executable))).isEqualTo(listing);
              }
            });
    System.out.println(
        "translated Relay programs: " + cases + ", with calls of phi: " + runTimePhis);
    if (!cases.isSingle()) {
      assertThat(runTimePhis).containsOnlyKeys(PhiStrategy.values());
    }
  }

  /** Each number has another combination of options. */
  private static TranslationOptions options(long number, PhiStrategy phis) {
    return TranslationOptions.DEFAULT
        .withPhis(phis)
        .withTrampoline((number & 1) != 0)
        .withRenumberParameters((number & 2) != 0)
        .withEmptyPhiOperands((number & 8) != 0);
  }

  private static Executable readBack(Executable executable) {
    return ExecutableReader.read(ExecutableWriter.write(executable));
  }

  private static String interpreted(RandomProgram program, String what) {
    RelayInterpreter interpreter =
        new RelayInterpreter(
            program.module(),
            RelayTestFunctions::find,
            InterpreterOptions.DEFAULT.withTensors(RelayTestFunctions::heapTensor));
    try (Value result = interpreter.call(RandomProgram.MAIN, program.arguments())) {
      return ValueText.of(result.object());
    } catch (RuntimeException e) {
      throw new AssertionError(what, e);
    }
  }

  private static String translated(RandomProgram program, Executable executable, String what) {
    try (Translated translated = new Translated(executable, REGISTRY);
        Value result = translated.call(RandomProgram.MAIN, program.arguments())) {
      return ValueText.of(result.object());
    } catch (RuntimeException e) {
      throw new AssertionError(what, e);
    }
  }
}
