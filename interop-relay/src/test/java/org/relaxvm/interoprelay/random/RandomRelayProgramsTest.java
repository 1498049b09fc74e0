package org.relaxvm.interoprelay.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Value;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayTestFunctions;
import org.relaxvm.interoprelay.proposal.interp.InterpreterOptions;
import org.relaxvm.interoprelay.proposal.interp.RelayInterpreter;
import org.relaxvm.interoprelay.proposal.text.RelayText;
import org.relaxvm.interoprelay.proposal.verify.RelayVerifier;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;

class RandomRelayProgramsTest {
  @Test
  void programsAreValidRunAndReadBackFromTheirText() {
    RandomCases cases = RandomCases.of(Effort.chosen().pick(200, 2_000, 50_000));
    Map<String, Integer> seen = new HashMap<>();
    cases
        .numbers()
        .forEach(
            number -> {
              RandomProgram program =
                  RandomRelayPrograms.of(cases.seed() + number, number % 4 == 0);
              String text = RelayText.print(program.module());
              String what = cases.repeat(number) + "\n" + text;
              assertThat(RelayText.print(RelayText.parse(text))).as(what).isEqualTo(text);
              String result = run(program, what);
              assertThat(run(program, what)).as(what).isEqualTo(result);
              for (RelayFunction function : program.module().functions()) {
                for (RelayInstruction instruction : function.code()) {
                  seen.merge(instruction.getClass().getSimpleName(), 1, Integer::sum);
                }
              }
            });
    System.out.println("random Relay programs: " + cases + ", instructions: " + seen);
    if (!cases.isSingle()) {
      assertThat(new TreeSet<>(seen.keySet()))
          .containsExactly(
              "AllocClosure",
              "AllocDatatype",
              "AllocTensor",
              "AllocTensorReg",
              "CallPacked",
              "Fatal",
              "GetField",
              "GetTag",
              "Goto",
              "If",
              "IfEq",
              "Invoke",
              "InvokeClosure",
              "InvokePacked",
              "Kill",
              "LoadConst",
              "LoadConsti",
              "Mov",
              "Phi",
              "ReshapeTensor",
              "Ret",
              "ShapeOf",
              "TailInvoke");
    }
  }

  @Test
  void dominatorsDecideAllPhisUnlessRunTimePhisAreAskedFor() {
    RandomCases cases = RandomCases.of(Effort.chosen().pick(200, 2_000, 50_000));
    int[] undecided = {0};
    cases
        .numbers()
        .forEach(
            number -> {
              long seed = cases.seed() + number;
              RandomProgram plain = RandomRelayPrograms.of(seed, false);
              assertThat(RelayVerifier.verify(plain.module()).functions())
                  .as(() -> cases.repeat(number) + "\n" + RelayText.print(plain.module()))
                  .allMatch(function -> function.runTimePhis().isEmpty());
              RandomProgram other = RandomRelayPrograms.of(seed, true);
              RelayVerifier.verify(other.module())
                  .functions()
                  .forEach(function -> undecided[0] += function.runTimePhis().size());
            });
    assertThat(undecided[0] > 0 || cases.isSingle()).isTrue();
  }

  @Test
  void oneSeedMakesOneProgram() {
    assertThat(RelayText.print(RandomRelayPrograms.of(17, true).module()))
        .isEqualTo(RelayText.print(RandomRelayPrograms.of(17, true).module()));
  }

  private static String run(RandomProgram program, String what) {
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
}
