package org.relaxvm.compiler.wellformed;

import java.util.Map;
import java.util.Set;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Symbolic variables belong to one function, and are used where a parameter or a match_cast says
 * what they are: WF-04, WF-05 and WF-09.
 */
final class SymbolCheck extends LocatedVisitor {
  private final Scope<Var> symbols = new Scope<>();
  private final Map<Var, String> owners;

  /**
   * A check.
   *
   * @param owners in which functions variables are defined: of all functions so far
   */
  SymbolCheck(GlobalVar function, Map<Var, String> owners) {
    super(function);
    this.owners = owners;
  }

  @Override
  public void visit(Expr expr) {
    switch (expr) {
      case ShapeExpr shape -> use(shape.type(), shape);
      case PrimValue(PrimExpr value) -> use(Symbols.usedBy(value), expr);
      case Call call -> {
        super.visit(call);
        call.typeArgs().forEach(this::use);
        use(call.type());
      }
      case If choice -> {
        visit(choice.condition());
        symbols.inside(() -> visit(choice.whenTrue()));
        symbols.inside(() -> visit(choice.whenFalse()));
        use(choice.type());
      }
      case RelaxFunction function -> symbols.inside(() -> visitParts(function));
      default -> super.visit(expr);
    }
  }

  private void visitParts(RelaxFunction function) {
    function.params().forEach(param -> at("parameter ", param, () -> define(param.type())));
    function.params().forEach(param -> at("parameter ", param, () -> use(param.type())));
    symbols.inside(() -> visit(function.body()));
    at("result type ", function.resultType(), () -> use(function.resultType()));
  }

  @Override
  void look(Binding binding) {
    visit(binding.value());
    if (binding instanceof MatchCast cast) {
      define(cast.target());
      use(cast.target());
    }
    use(binding.var().type());
  }

  private void define(Type type) {
    for (Var symbol : Symbols.definedBy(type)) {
      if (!symbols.sees(symbol)) {
        String owner = owners.putIfAbsent(symbol, function());
        if (owner != null && !owner.equals(function())) {
          throw error(
              ErrorKind.VALUE,
              "the symbolic variable "
                  + symbol
                  + " belongs to function "
                  + owner
                  + "; expected function "
                  + function()
                  + " to have variables of its own");
        }
        symbols.add(symbol);
      }
    }
  }

  private void use(Type type) {
    use(type, type);
  }

  private void use(Type type, Object where) {
    use(Symbols.usedBy(type), where);
  }

  private void use(Set<Var> used, Object where) {
    for (Var symbol : used) {
      if (!symbols.sees(symbol)) {
        throw error(
            ErrorKind.VALUE,
            "the symbolic variable "
                + symbol
                + " in "
                + where
                + " is not known here; expected it alone as an extent of a parameter or of a"
                + " match_cast in front");
      }
    }
  }
}
