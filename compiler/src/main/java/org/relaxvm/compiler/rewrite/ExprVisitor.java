package org.relaxvm.compiler.rewrite;

import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;

/** Looks at all parts of an expression, in order. Not thread-safe. */
public abstract class ExprVisitor {
  /** Looks at an expression; by default at its parts. */
  public void visit(Expr expr) {
    switch (expr) {
      case Tuple(var fields) -> fields.forEach(this::visit);
      case TupleGetItem(Expr tuple, int index) -> visit(tuple);
      case Call call -> {
        visit(call.callee());
        call.args().forEach(this::visit);
      }
      case SeqExpr seq -> {
        seq.blocks().forEach(this::visit);
        visit(seq.body());
      }
      case If choice -> {
        visit(choice.condition());
        visit(choice.whenTrue());
        visit(choice.whenFalse());
      }
      case RelaxFunction function -> visit(function.body());
      default -> {}
    }
  }

  /** Looks at a block; by default at its bindings. */
  public void visit(BindingBlock block) {
    block.bindings().forEach(this::visit);
  }

  /** Looks at a binding; by default at its value. */
  public void visit(Binding binding) {
    visit(binding.value());
  }
}
