package org.relaxvm.compiler.pass.simplify;

import java.util.List;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.rewrite.DeadCode;

/**
 * Removes functions that nothing reaches and bindings that nobody needs. Source:
 * docs/spec/passes.md, section 15.
 *
 * @param entries names of functions that are called from outside, beside public ones
 */
public record DeadCodeElimination(List<String> entries) implements Pass {
  /** Copies the list. */
  public DeadCodeElimination {
    entries = List.copyOf(entries);
  }

  /** Keeps what public functions need. */
  public DeadCodeElimination() {
    this(List.of());
  }

  @Override
  public String name() {
    return "DeadCodeElimination";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return DeadCode.removeFrom(module, entries);
  }
}
