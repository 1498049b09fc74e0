package org.relaxvm.compiler.wellformed;

import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.Op;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;

/** Types are known, and only leaves are parts of others: WF-01, WF-10, WF-11 and WF-12. */
final class NormalFormCheck extends LocatedVisitor {
  NormalFormCheck(GlobalVar function) {
    super(function);
  }

  @Override
  public void visit(Expr expr) {
    switch (expr) {
      case Tuple(List<Expr> fields) -> requireLeaves("the field ", expr, fields);
      case TupleGetItem(Expr tuple, int index) -> requireLeaf("the tuple", expr, tuple);
      case Call call -> {
        requireLeaf("the callee", call, call.callee());
        requireLeaves("the argument ", call, call.args());
      }
      case If choice -> requireLeaf("the condition", choice, choice.condition());
      default -> {}
    }
    super.visit(expr);
    // A tuple is typed when its fields are; what names of functions are, the module says.
    boolean hasType =
        expr instanceof Op
            || expr instanceof GlobalVar
            || expr instanceof Tuple
            || expr.knownType().isPresent();
    if (!hasType) {
      throw error(
          ErrorKind.TYPE, "the type of " + expr + " is not known; normalize the program first");
    }
  }

  @Override
  void visitResult(Expr result) {
    requireNoSequence(result);
    if (!result.isLeaf()) {
      throw error(
          ErrorKind.VALUE,
          "the result of a body must be a leaf, but is " + result + "; bind it to a variable");
    }
    visit(result);
  }

  @Override
  void look(Binding binding) {
    requireNoSequence(binding.value());
    super.look(binding);
  }

  private void requireLeaves(String what, Expr whole, List<Expr> parts) {
    for (int i = 0; i < parts.size(); i++) {
      requireLeaf(what + i, whole, parts.get(i));
    }
  }

  private void requireLeaf(String what, Expr whole, Expr part) {
    requireNoSequence(part);
    if (!part.isLeaf()) {
      throw error(
          ErrorKind.VALUE,
          what + " of " + whole + " must be a leaf, but is " + part + "; bind it to a variable");
    }
  }

  private void requireNoSequence(Expr part) {
    if (part instanceof SeqExpr) {
      throw error(
          ErrorKind.VALUE,
          "bindings stand in the middle of an expression: "
              + part
              + "; expected them in the body of a function or in a branch only");
    }
  }
}
