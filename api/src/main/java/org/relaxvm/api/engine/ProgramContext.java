package org.relaxvm.api.engine;

import org.relaxvm.api.VmContext;

/**
 * A VM call as the bodies of compiled functions see it: they also call the functions of their
 * program.
 */
public interface ProgramContext extends VmContext {
  /** What the name of the body of a compiled function begins with; the function's name follows. */
  String BODY_PREFIX = "__vmtir__";

  /** The calls of one execution of a body; used until that ends. */
  ProgramCalls calls();
}
