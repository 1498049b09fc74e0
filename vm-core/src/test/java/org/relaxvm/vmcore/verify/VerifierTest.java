package org.relaxvm.vmcore.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.verify.Programs.branch;
import static org.relaxvm.vmcore.verify.Programs.call;
import static org.relaxvm.vmcore.verify.Programs.jump;
import static org.relaxvm.vmcore.verify.Programs.main;
import static org.relaxvm.vmcore.verify.Programs.ret;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.ExecutableReader;
import org.relaxvm.vmcore.executable.GoldenFiles;
import org.relaxvm.vmcore.executable.WorkedExample;

class VerifierTest {
  private static List<Path> goldenExecutables() {
    return GoldenFiles.executables();
  }

  @Test
  void workedExampleHasNoFindings() {
    assertThat(Verifier.check(ExecutableReader.read(WorkedExample.bytes()))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("goldenExecutables")
  void goldenExecutableHasNoFindings(Path file) {
    Executable executable = ExecutableReader.read(file);
    assertThat(Verifier.check(executable, VerifyOptions.DEFAULT.withStrict(true))).isEmpty();
    assertThatNoException().isThrownBy(() -> Verifier.verify(executable));
  }

  @Test
  void emptyProgramIsLegal() {
    assertThat(Verifier.check(Programs.of(List.of()))).isEmpty();
  }

  @Test
  void verifyThrowsTheFirstProblemAndCountsTheOthers() {
    Executable executable = Programs.of(call(1, 1, 9, Arg.constant(5).word()), ret(7));
    assertThatThrownBy(() -> Verifier.verify(executable))
        .isInstanceOfSatisfying(
            InvalidProgramException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
        .hasMessage(
            """
            argument 0: expected a register below %2, %void or %vm, but got %9
              at function main, pc 0: call f in: %9, c[5] dst: %1
              rule: register
              and 2 further problems; Verifier.check lists them\
            """);
  }

  @Test
  void oneProblemIsThrownWithoutACount() {
    assertThatThrownBy(() -> Verifier.verify(Programs.of(call(1, 1), ret(7))))
        .hasMessage(
            """
            the result: expected a register below %2 or %void, but got %7
              at function main, pc 1: ret %7
              rule: register\
            """);
  }

  @Test
  void backwardJumpIsLegal() {
    assertThat(Verifier.check(Programs.of(call(1, 1), jump(-1)))).isEmpty();
  }

  @Test
  void readOnOneWayOnlyIsAWarningAndAnErrorWhenStrict() {
    Executable executable = Programs.of(branch(0, 2), call(1, 1), ret(1));
    assertThat(Verifier.check(executable))
        .containsExactly(
            new Finding(
                Severity.WARNING,
                Rule.DEFINITE_ASSIGNMENT,
                "function main, pc 2: ret %1",
                "%1 may be read before it is written; expected a write on every way here, for the"
                    + " read gives null"));
    assertThatNoException().isThrownBy(() -> Verifier.verify(executable));
    assertThatThrownBy(() -> Verifier.verify(executable, VerifyOptions.DEFAULT.withStrict(true)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageStartingWith("%1 may be read before it is written");
  }

  @Test
  void writesOnBothPathsAreSeenAfterTheBranch() {
    Executable executable = Programs.of(branch(0, 3), call(1, 1), jump(2), call(1, 1), ret(1));
    assertThat(Verifier.check(executable)).isEmpty();
  }

  @Test
  void loopIsFollowedUntilNothingChanges() {
    // The loop's second round reaches pc 1 with %1 written, the first without.
    Executable executable =
        Programs.of(main(1, 3, 0, 4), branch(0, 3), call(2, 1, 1), jump(-2), ret(0));
    assertThat(Verifier.check(executable))
        .extracting(Finding::where)
        .containsExactly("function main, pc 1: call f in: %1 dst: %2");
  }

  @Test
  void contextForAHostFunctionIsAWarning() {
    assertThat(Verifier.check(Programs.of(call(1, 1, Arg.VM_REGISTER), ret(1))))
        .containsExactly(
            new Finding(
                Severity.WARNING,
                Rule.VM_CONTEXT,
                "function main, pc 0: call f in: %vm dst: %1",
                "argument 0 is the VM's context: expected only builtins, named vm...., to take"
                    + " it"));
  }

  @Test
  void aHundredFindingsAreListedAndTheOthersCounted() {
    long[][] code = new long[151][];
    Arrays.fill(code, call(9, 1));
    code[150] = ret(0);
    List<Finding> findings = Verifier.check(Programs.of(code));
    assertThat(findings).hasSize(101);
    assertThat(findings.getLast())
        .hasToString(
            "50 more findings are not listed\n  at the whole program\n  rule: more findings");
  }
}
