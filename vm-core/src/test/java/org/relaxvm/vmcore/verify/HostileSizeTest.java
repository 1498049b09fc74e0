package org.relaxvm.vmcore.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.vmcore.verify.Programs.branch;
import static org.relaxvm.vmcore.verify.Programs.call;
import static org.relaxvm.vmcore.verify.Programs.jump;
import static org.relaxvm.vmcore.verify.Programs.main;
import static org.relaxvm.vmcore.verify.Programs.ret;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;

/** Programs that would make a careless analysis take hours or all memory. */
@Timeout(60)
class HostileSizeTest {
  private static final long REGISTERS = 1 << 24;

  @Test
  void millionInstructionsInOneLineAreCheckedWhole() {
    long[][] code = new long[1_000_000][];
    code[0] = call(1, 1, 0);
    for (int i = 1; i < code.length - 1; i++) {
      code[i] = call(1 + i % 7, 1, Math.min(i, 1 + (i - 1) % 7));
    }
    code[code.length - 1] = ret(1);
    assertThat(Verifier.check(Programs.of(main(1, 8, 0, code.length), code))).isEmpty();
  }

  @Test
  void manyBranchesOverAHugeRegisterFileAreGivenUpWithAWarning() {
    int branches = 20_000;
    long[][] code = new long[branches + 2 + branches + 1][];
    code[0] = call(REGISTERS - 1, 1);
    for (int i = 1; i <= branches; i++) {
      code[i] = branch(0, branches + 1);
    }
    for (int i = branches + 1; i < code.length; i++) {
      code[i] = ret(0);
    }
    assertGivenUp(Programs.of(main(1, REGISTERS, 0, code.length), code), "main");
  }

  @Test
  void manyFunctionsWithHugeRegisterFilesAreGivenUpWithWarnings() {
    List<FunctionInfo> functions = new ArrayList<>(List.of(main(0, 1, 0, 1), Programs.F));
    List<long[]> code = new ArrayList<>(List.of(jump(1), ret(0)));
    functions.set(0, main(1, 1, 0, 2));
    for (int i = 0; i < 20_000; i++) {
      long start = code.size();
      functions.add(
          new FunctionInfo(FunctionKind.VM, "g" + i, start, start + 2, 0, REGISTERS, List.of()));
      code.add(call(REGISTERS - 1, 1));
      code.add(ret(REGISTERS - 1));
    }
    List<Finding> findings = Verifier.check(Programs.of(functions, code.toArray(long[][]::new)));
    assertThat(findings).hasSize(101);
    assertThat(findings)
        .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Severity.WARNING));
  }

  @Test
  void manyLoopsOverManyRegistersEndWithWarnings() {
    // Each loop ends inside an earlier one, so that rounds over loops multiply.
    int loops = 6_000;
    List<long[]> code = new ArrayList<>();
    for (int i = 0; i < loops; i++) {
      code.add(branch(0, 2));
      code.add(call(1 + i, 1));
    }
    for (int i = 0; i < loops; i++) {
      code.add(branch(0, 3));
      code.add(call(1 + i, 1));
      code.add(jump(-(2L * loops + 3L * i + 2)));
    }
    code.add(ret(0));
    long[][] all = code.toArray(long[][]::new);
    List<Finding> findings = Verifier.check(Programs.of(main(1, loops + 1, 0, all.length), all));
    assertThat(findings)
        .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Severity.WARNING));
  }

  private static void assertGivenUp(Executable executable, String function) {
    assertThat(Verifier.check(executable))
        .containsExactly(
            new Finding(
                Severity.WARNING,
                Rule.DEFINITE_ASSIGNMENT,
                "function " + function,
                "the function has too many branches and registers to tell whether registers are"
                    + " read before they are written; such a read gives null"));
  }
}
