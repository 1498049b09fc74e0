package org.relaxvm.compiler.named;

import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.PassObserver;
import org.relaxvm.compiler.pass.PassPipeline;

/** Passes that run in order, as one pass. */
record Sequence(String name, PassPipeline pipeline) implements Pass {
  @Override
  public IRModule run(IRModule module, PassContext context) {
    return pipeline.run(module, context, PassObserver.NONE);
  }

  @Override
  public String typeKey() {
    return "transform.Sequential";
  }
}
