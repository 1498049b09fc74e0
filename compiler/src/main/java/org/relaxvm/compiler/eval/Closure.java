package org.relaxvm.compiler.eval;

import java.util.List;
import org.relaxvm.compiler.ir.Expr;

/**
 * A function as a value.
 *
 * @param function a function of the program, the name of one of the module, or a packed one
 * @param scope the values around a local function
 * @param last arguments that it has already, which follow those of a call
 */
record Closure(Expr function, Scope scope, List<Object> last) {
  /** Copies the list. */
  Closure {
    last = List.copyOf(last);
  }

  @Override
  public String toString() {
    return "a function";
  }
}
