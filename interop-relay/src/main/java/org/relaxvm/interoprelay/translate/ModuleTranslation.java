package org.relaxvm.interoprelay.translate;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocDatatype;
import org.relaxvm.interoprelay.proposal.RelayInstruction.GetTag;
import org.relaxvm.interoprelay.proposal.RelayModule;
import org.relaxvm.interoprelay.proposal.verify.VerifiedFunction;
import org.relaxvm.interoprelay.proposal.verify.VerifiedModule;
import org.relaxvm.interoprelay.translate.code.CodeEmitter;
import org.relaxvm.interoprelay.translate.code.CodeGraph;
import org.relaxvm.interoprelay.translate.code.FunctionNames;
import org.relaxvm.interoprelay.translate.code.Trampoline;
import org.relaxvm.vmcore.executable.Executable;

/** Translates all functions of a module. */
final class ModuleTranslation {
  private ModuleTranslation() {}

  /** Translates a module. */
  static Executable of(VerifiedModule verified, TranslationOptions options) {
    RelayModule module = verified.module();
    FunctionNames names =
        new FunctionNames(
            module.functions().stream().map(RelayFunction::name).toList(), module.packed());
    Closures closures = new Closures(module, names, options.renumberParameters());
    boolean tagged = hasTags(module);
    List<CodeGraph> graphs = new ArrayList<>();
    for (int i = 0; i < verified.functions().size(); i++) {
      VerifiedFunction function = verified.functions().get(i);
      Registers registers = new Registers(function.function(), closures.boundFirst(i));
      CallLowering calls =
          new CallLowering(
              module, function.function(), names, closures, registers, tagged, options);
      graphs.add(
          new FunctionTranslation(function, names.get(i), registers, calls, options).graph());
    }
    graphs.addAll(closures.wrappers());
    return CodeEmitter.emit(Trampoline.apply(graphs, names, options.trampoline()));
  }

  /** Whether tags make a difference: tuples without are what other builtins know. */
  private static boolean hasTags(RelayModule module) {
    return module.functions().stream()
        .flatMap(function -> function.code().stream())
        .anyMatch(
            instruction ->
                instruction instanceof GetTag
                    || (instruction instanceof AllocDatatype made && made.tag() != 0));
  }
}
