package org.relaxvm.vmcore.verify;

import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;

/**
 * Checks that a program can run without reading or jumping anywhere outside of itself. What passes
 * may still loop for ever or call functions that fail.
 *
 * <p>Time and memory are linear in the size of the program; the analysis of assignments stops, with
 * a warning, where it would take more.
 *
 * <p>Source: docs/spec/executable-format.md, section 9. Stateless and thread-safe.
 */
public final class Verifier {
  private static final long FREE_STEPS = 1L << 22;
  private static final long STEPS_PER_WORD = 8;

  private Verifier() {}

  /**
   * Refuses a program that has errors; warnings pass.
   *
   * @throws InvalidProgramException a {@code ValueError} with the first problem and the number of
   *     further ones
   */
  public static void verify(Executable executable) {
    verify(executable, VerifyOptions.DEFAULT);
  }

  /** Refuses a program that has errors, with options. */
  public static void verify(Executable executable, VerifyOptions options) {
    Findings findings = findings(executable, options);
    if (!findings.hasErrors()) {
      return;
    }
    Finding first =
        findings.list().stream()
            .filter(finding -> finding.severity() == Severity.ERROR)
            .findFirst()
            .orElseThrow();
    long others = findings.errorCount() - 1;
    String more =
        others == 0
            ? ""
            : "\n  and "
                + others
                + (others == 1 ? " further problem" : " further problems")
                + "; Verifier.check lists them";
    throw new InvalidProgramException(ErrorKind.VALUE, first + more);
  }

  /** All that is wrong or odd, in the order of the file; at most a hundred, then their number. */
  public static List<Finding> check(Executable executable) {
    return check(executable, VerifyOptions.DEFAULT);
  }

  /** All that is wrong or odd, with options. */
  public static List<Finding> check(Executable executable, VerifyOptions options) {
    return findings(executable, options).list();
  }

  private static Findings findings(Executable executable, VerifyOptions options) {
    Findings findings = new Findings();
    Report report = new Report(executable, findings);
    new FunctionRules(executable, options, report).check();
    new ConstantRules(executable, report).check();
    new LayoutRules(executable, report).check();
    if (findings.hasErrors()) {
      // Bodies and instructions cannot be found reliably.
      return findings;
    }
    List<FunctionInfo> bodies =
        executable.functions().stream().filter(f -> f.kind() == FunctionKind.VM).toList();
    for (FunctionInfo function : bodies) {
      new OperandRules(executable, function, report).check();
      new FlowRules(executable, function, report).check();
    }
    if (!findings.hasErrors()) {
      Severity severity = options.strict() ? Severity.ERROR : Severity.WARNING;
      WorkBudget budget = new WorkBudget(FREE_STEPS + STEPS_PER_WORD * executable.wordCount());
      for (FunctionInfo function : bodies) {
        new AssignmentRules(executable, function, severity, report, budget).check();
      }
    }
    return findings;
  }
}
