package org.relaxvm.interoprelay.translate.release;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoprelay.release.ReleasedConstant;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.translate.code.ClosureWrappers;
import org.relaxvm.interoprelay.translate.code.CodeEmitter;
import org.relaxvm.interoprelay.translate.code.CodeGraph;
import org.relaxvm.interoprelay.translate.code.FunctionNames;
import org.relaxvm.interoprelay.translate.code.Trampoline;
import org.relaxvm.vmcore.executable.Executable;

/** Translates all functions of a released executable. */
public final class ReleasedTranslation {
  private ReleasedTranslation() {}

  /** Translates an executable. */
  public static Executable of(ReleasedExecutable executable) {
    requireConstants(executable);
    FunctionNames names =
        new FunctionNames(
            executable.functions().stream().map(ReleasedFunction::name).toList(),
            executable.packed());
    ClosureWrappers wrappers =
        new ClosureWrappers(
            names, function -> executable.functions().get(function).paramNames().size());
    DeviceTable devices = DeviceTable.of(executable);
    List<CodeGraph> graphs = new ArrayList<>();
    for (int i = 0; i < executable.functions().size(); i++) {
      graphs.add(new ReleasedFunctionTranslation(executable, i, names, wrappers, devices).graph());
    }
    graphs.addAll(wrappers.wrappers());
    return CodeEmitter.emit(Trampoline.apply(graphs, names, false));
  }

  private static void requireConstants(ReleasedExecutable executable) {
    List<String> missing = new ArrayList<>();
    for (ReleasedConstant constant : executable.constants()) {
      if (constant instanceof ReleasedConstant.LateBound(String name)) {
        missing.add(name);
      }
    }
    if (!missing.isEmpty()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "constants have no values: "
              + String.join(", ", missing)
              + "\n  what to do: load the program with the parameter file that was saved with it");
    }
  }
}
