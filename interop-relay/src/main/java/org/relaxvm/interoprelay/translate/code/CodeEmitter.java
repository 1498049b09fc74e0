package org.relaxvm.interoprelay.translate.code;

import java.util.List;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionKind;

/** Makes an executable of functions. */
public final class CodeEmitter {
  private CodeEmitter() {}

  /** Emits functions in their order; each may call any other. */
  public static Executable emit(List<CodeGraph> functions) {
    ExecBuilder builder = new ExecBuilder();
    for (CodeGraph function : functions) {
      builder.declareFunction(function.name(), FunctionKind.VM);
    }
    functions.forEach(function -> BlockLayout.emit(builder, function));
    return builder.get();
  }
}
