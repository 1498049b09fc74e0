package org.relaxvm.interoprelay.release.verify;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoprelay.release.Era;
import org.relaxvm.interoprelay.release.Kernels;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocClosure;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocStorage;
import org.relaxvm.interoprelay.release.ReleasedInstruction.DeviceCopy;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Goto;
import org.relaxvm.interoprelay.release.ReleasedInstruction.If;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Invoke;
import org.relaxvm.interoprelay.release.ReleasedInstruction.InvokePacked;
import org.relaxvm.interoprelay.release.ReleasedInstruction.LoadConst;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Move;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Ret;
import org.relaxvm.interoprelay.release.SamplePrograms;
import org.relaxvm.interoprelay.release.listing.ReleasedListing;

class ReleasedVerifierTest {
  private static ReleasedExecutable executable(ReleasedInstruction... code) {
    return Kernels.executable(
        Era.R3,
        List.of(),
        new ReleasedFunction("main", List.of("x", "y"), List.of(0, 0), 4, List.of(code)));
  }

  static Stream<Arguments> badInstructions() {
    return Stream.of(
        Arguments.of(new Move(4, 0), "there is no such register", "an index below 4", "4"),
        Arguments.of(new Move(-1, 0), "there is no such register", "an index below 4", "-1"),
        Arguments.of(
            new Invoke(1, 0, List.of()), "there is no such function", "an index below 1", "1"),
        Arguments.of(new Invoke(0, 0, List.of(1)), "wrong number of arguments", "2", "1"),
        Arguments.of(
            new AllocClosure(0, 0, List.of(1, 1, 1)),
            "more bound values than parameters",
            "at most 2",
            "3"),
        Arguments.of(
            new InvokePacked(5, 0, List.of()),
            "there is no such packed function",
            "an index below 5",
            "5"),
        Arguments.of(
            new InvokePacked(0, 2, List.of(1)), "more outputs than arguments", "at most 1", "2"),
        Arguments.of(new LoadConst(0, -1, 0), "there is no such constant", "an index below 0", "0"),
        Arguments.of(new Goto(0), "a jump goes nowhere", "an offset other than 0 from 0 to 1", "0"),
        Arguments.of(
            new If(0, 1, 1, 2), "a jump goes nowhere", "an offset other than 0 from 0 to 1", "2"),
        Arguments.of(
            new If(0, 1, -1, 1), "a jump goes nowhere", "an offset other than 0 from 0 to 1", "-1"),
        Arguments.of(
            new DeviceCopy(0, 0, 1, 2),
            "there is no such device",
            "an index of the 1 devices",
            "1"),
        Arguments.of(
            new AllocStorage(0, 64, DType.INT8, 7, Shape.scalar(), 1),
            "there is no such device",
            "an index of the 1 devices",
            "7"));
  }

  @ParameterizedTest
  @MethodSource("badInstructions")
  void instructionThatBreaksARuleIsNamed(
      ReleasedInstruction bad, String problem, String expected, String got) {
    String text = ReleasedListing.text(bad, Era.R3);
    assertThatThrownBy(() -> ReleasedVerifier.verify(executable(bad, new Ret(0))))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "%s\n  at function 'main', instruction 0: %s\n  expected: %s\n  got: %s\n  what to do: save the program again with the TVM that compiled it"
                .formatted(problem, text, expected, got));
  }

  @Test
  void functionMustNotBeLeftAtItsEnd() {
    assertThatThrownBy(() -> ReleasedVerifier.verify(executable(new Ret(0), new Move(0, 1))))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageStartingWith(
            """
            control leaves the function at its end
              at function 'main', instruction 1: move $1 $0
              expected: ret, goto, if or fatal
              got: move $1 $0\
            """);
    assertThatThrownBy(() -> ReleasedVerifier.verify(executable()))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageStartingWith(
            "the function has no instructions\n  at function 'main'\n  expected: 1 or more");
  }

  @Test
  void parametersMustFitTheRegisters() {
    ReleasedExecutable executable =
        Kernels.executable(
            Era.R1,
            List.of(),
            new ReleasedFunction("f", List.of("x", "y"), List.of(), 1, List.of(new Ret(0))));
    assertThatThrownBy(() -> ReleasedVerifier.verify(executable))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageStartingWith(
            """
            2 parameters do not fit the registers
              at function 'f'
              expected: a register file of 2 or more
              got: 1\
            """);
  }

  @ParameterizedTest
  @EnumSource
  void validProgramsPass(Era era) {
    assertThatCode(
            () -> {
              ReleasedVerifier.verify(SamplePrograms.list(era));
              ReleasedVerifier.verify(SamplePrograms.tree(era));
              ReleasedVerifier.verify(SamplePrograms.closure(era));
            })
        .doesNotThrowAnyException();
  }
}
