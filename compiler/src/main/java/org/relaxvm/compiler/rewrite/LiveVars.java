package org.relaxvm.compiler.rewrite;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.VarBinding;

/** The variables of an expression whose values are used. Not thread-safe. */
public final class LiveVars extends ExprVisitor {
  private final Predicate<Expr> mayGo;
  private final Set<RelaxVar> live = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<RelaxVar, Expr> waiting = new IdentityHashMap<>();
  private final Deque<Expr> found = new ArrayDeque<>();

  private LiveVars(Predicate<Expr> mayGo) {
    this.mayGo = mayGo;
  }

  /** All variables that an expression uses anywhere. */
  public static Set<RelaxVar> usedIn(Expr expr) {
    return of(expr, value -> false);
  }

  /**
   * The variables whose values count, where what is used only by bindings that may go does not.
   *
   * @param mayGo whether a value may go when its variable is not used
   */
  public static Set<RelaxVar> of(Expr expr, Predicate<Expr> mayGo) {
    LiveVars vars = new LiveVars(mayGo);
    vars.visit(expr);
    while (!vars.found.isEmpty()) {
      vars.visit(vars.found.remove());
    }
    return vars.live;
  }

  /** The same of a binding. */
  public static Set<RelaxVar> usedIn(Binding binding) {
    return usedIn(binding.value());
  }

  @Override
  public void visit(Expr expr) {
    if (expr instanceof RelaxVar var) {
      use(var);
    } else {
      super.visit(expr);
    }
  }

  @Override
  public void visit(Binding binding) {
    if (binding instanceof VarBinding(RelaxVar var, Expr value)
        && mayGo.test(value)
        && !live.contains(var)) {
      waiting.put(var, value);
    } else {
      super.visit(binding);
    }
  }

  private void use(RelaxVar var) {
    live.add(var);
    Expr value = waiting.remove(var);
    if (value != null) {
      found.add(value);
    }
  }
}
