package org.relaxvm.compiler;

import java.util.List;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.lower.AttachGlobalSymbol;
import org.relaxvm.compiler.pass.lower.ComputePrimValue;
import org.relaxvm.compiler.pass.lower.LowerRuntimeBuiltin;
import org.relaxvm.compiler.pass.lower.RemovePurityChecking;
import org.relaxvm.compiler.pass.lower.ToNonDataflow;
import org.relaxvm.compiler.pass.lower.VMShapeLower;
import org.relaxvm.compiler.pass.memory.CallTirRewrite;
import org.relaxvm.compiler.pass.memory.KillAfterLastUse;
import org.relaxvm.compiler.pass.memory.LowerAllocTensor;

/** The passes that every program goes through at the end, in their order, without a memory plan. */
public final class Lowering {
  private static final List<Pass> PASSES =
      List.of(
          new ToNonDataflow(),
          new RemovePurityChecking(),
          new CallTirRewrite(),
          new LowerAllocTensor(),
          new KillAfterLastUse(),
          new LowerRuntimeBuiltin(),
          new ComputePrimValue(),
          new VMShapeLower(),
          new AttachGlobalSymbol());

  private Lowering() {}

  /** A program after all of them. */
  public static IRModule lower(IRModule module) {
    IRModule lowered = module;
    for (Pass pass : PASSES) {
      lowered = pass.run(lowered, PassContext.DEFAULT);
    }
    return lowered;
  }

  /** The first pass that has a name, run on a program. */
  public static IRModule run(Pass pass, IRModule module) {
    return pass.run(module, PassContext.DEFAULT);
  }
}
