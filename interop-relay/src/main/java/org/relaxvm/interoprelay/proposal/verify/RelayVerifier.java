package org.relaxvm.interoprelay.proposal.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoprelay.flow.AnalysisSize;
import org.relaxvm.interoprelay.flow.ControlFlow;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayModule;

/**
 * Checks that a Relay program can run: each register has one definition, which precedes its uses on
 * every path; jumps, indices and counts of arguments fit; packed functions write into tensors that
 * were allocated for them.
 *
 * <p>What passes may still loop for ever, or fail on a value of the wrong kind.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 3. Stateless and thread-safe.
 */
public final class RelayVerifier {
  private RelayVerifier() {}

  /**
   * Refuses a program that breaks a rule.
   *
   * @return the program and what the rules found out about it
   * @throws InvalidProgramException a {@code ValueError} with the first problem and the number of
   *     further ones
   */
  public static VerifiedModule verify(RelayModule module) {
    return verify(module, RelayVerifyOptions.DEFAULT);
  }

  /** Refuses a program that breaks a rule, with options. */
  public static VerifiedModule verify(RelayModule module, RelayVerifyOptions options) {
    Findings findings = new Findings(module);
    List<VerifiedFunction> functions = run(module, options, findings);
    if (findings.count() == 0) {
      return new VerifiedModule(module, functions);
    }
    long others = findings.count() - 1;
    String more =
        others == 0
            ? ""
            : "\n  and "
                + others
                + (others == 1 ? " further problem" : " further problems")
                + "; RelayVerifier.check lists them";
    throw new InvalidProgramException(ErrorKind.VALUE, findings.list().getFirst() + more);
  }

  /** All that is wrong, in the order of the functions; at most a hundred, then their number. */
  public static List<RelayFinding> check(RelayModule module) {
    return check(module, RelayVerifyOptions.DEFAULT);
  }

  /** All that is wrong, with options. */
  public static List<RelayFinding> check(RelayModule module, RelayVerifyOptions options) {
    Findings findings = new Findings(module);
    run(module, options, findings);
    return findings.list();
  }

  private static List<VerifiedFunction> run(
      RelayModule module, RelayVerifyOptions options, Findings findings) {
    ModuleRules.check(module, findings);
    List<VerifiedFunction> verified = new ArrayList<>();
    for (int f = 0; f < module.functions().size(); f++) {
      long before = findings.count();
      new ShapeRules(module, f, findings).check();
      if (findings.count() > before) {
        // What control flow and definitions say would be wrong.
        continue;
      }
      RelayFunction function = module.functions().get(f);
      ControlFlow flow = ControlFlow.of(new CodeFlow(function.code()));
      Definitions definitions = new Definitions(function);
      Optional<String> tooLarge =
          AnalysisSize.problem(flow.blocks().size(), definitions.registers());
      if (tooLarge.isPresent()) {
        findings.function(f, tooLarge.get());
        continue;
      }
      new CallRules(module, f, definitions, findings).check();
      new OutputRules(module, f, definitions, options, findings).check();
      new UseRules(module, f, flow, definitions, findings).check();
      if (findings.count() == before) {
        PhiRules phis = new PhiRules(function, flow, definitions);
        phis.report(f, findings);
        verified.add(
            new VerifiedFunction(function, flow, phis.joins(), phis.runTimePhis(), phis.killed()));
      }
    }
    return verified;
  }

  /** Rules on the tables of a module. */
  private static final class ModuleRules {
    private ModuleRules() {}

    static void check(RelayModule module, Findings findings) {
      Map<String, Integer> names = new HashMap<>();
      for (int f = 0; f < module.functions().size(); f++) {
        String name = module.functions().get(f).name();
        Integer first = names.putIfAbsent(name, f);
        if (first != null) {
          findings.function(
              f,
              "functions "
                  + first
                  + " and "
                  + f
                  + " have the same name '"
                  + name
                  + "'\n  what to do: rename one of them");
        }
        if (name.isEmpty()) {
          findings.function(f, "function " + f + " has no name\n  what to do: name it");
        }
      }
      for (int p = 0; p < module.packed().size(); p++) {
        if (module.packed().get(p).isEmpty()) {
          findings.module(
              "packed function " + p + " has no name\n  what to do: name the function to call");
        }
      }
    }
  }
}
