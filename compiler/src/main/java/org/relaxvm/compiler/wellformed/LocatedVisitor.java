package org.relaxvm.compiler.wellformed;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.rewrite.ExprVisitor;

/** Looks at a function of a module, and says in errors where in it something stands. */
abstract class LocatedVisitor extends ExprVisitor {
  private final String function;
  // Innermost first.
  private final Deque<PathElement> path = new ArrayDeque<>();

  LocatedVisitor(GlobalVar function) {
    this.function = function.name();
  }

  /** Where something stands; the text is made for errors only. */
  private record PathElement(String what, Object detail) {}

  /** The name of the function of the module. */
  final String function() {
    return function;
  }

  /** Looks at something that stands in a position inside of the current one. */
  final void at(String what, Object detail, Runnable look) {
    path.push(new PathElement(what, detail));
    look.run();
    path.pop();
  }

  @Override
  public void visit(Expr expr) {
    if (expr instanceof SeqExpr seq) {
      seq.blocks().forEach(this::visit);
      at("result ", seq.body(), () -> visitResult(seq.body()));
    } else {
      super.visit(expr);
    }
  }

  /** Looks at the result of a body or branch. */
  void visitResult(Expr result) {
    visit(result);
  }

  @Override
  public final void visit(Binding binding) {
    at("", binding, () -> look(binding));
  }

  /** Looks at a binding; by default at its value. */
  void look(Binding binding) {
    visit(binding.value());
  }

  /** An error in the current position. */
  final InvalidProgramException error(ErrorKind kind, String message) {
    return located(new InvalidProgramException(kind, message));
  }

  /** The error with the current position, unless it has one. */
  final InvalidProgramException located(InvalidProgramException error) {
    if (error.locations().isEmpty()) {
      path.forEach(
          element ->
              error.addLocation("function " + function + ", " + element.what() + element.detail()));
      if (path.isEmpty()) {
        error.addLocation("function " + function);
      }
    }
    return error;
  }

  /** Does something whose errors get the current position. */
  final <T> T locating(Supplier<T> step) {
    try {
      return step.get();
    } catch (InvalidProgramException e) {
      throw located(e);
    }
  }
}
