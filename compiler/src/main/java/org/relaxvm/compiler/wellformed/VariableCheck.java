package org.relaxvm.compiler.wellformed;

import java.util.Map;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.rewrite.FreeVars;
import org.relaxvm.compiler.type.Type;

/**
 * Variables are bound once in a module, in front of their uses, and used where they are seen: WF-04
 * to WF-09.
 */
final class VariableCheck extends LocatedVisitor {
  private final Scope<RelaxVar> vars = new Scope<>();
  private final Scope<RelaxVar> dataflowVars = new Scope<>();
  private final Map<RelaxVar, String> owners;
  private boolean inDataflow;

  /**
   * A check.
   *
   * @param owners in which functions variables are bound: of all functions so far
   */
  VariableCheck(GlobalVar function, Map<RelaxVar, String> owners) {
    super(function);
    this.owners = owners;
  }

  @Override
  public void visit(Expr expr) {
    switch (expr) {
      case RelaxVar var -> use(var);
      case Call call -> {
        super.visit(call);
        call.typeArgs().forEach(this::useShapes);
        useShapes(call.type());
      }
      case If choice -> {
        visit(choice.condition());
        vars.inside(() -> visit(choice.whenTrue()));
        vars.inside(() -> visit(choice.whenFalse()));
        useShapes(choice.type());
      }
      case RelaxFunction function -> {
        boolean outer = inDataflow;
        inDataflow = false;
        vars.inside(() -> visitParts(function));
        inDataflow = outer;
      }
      default -> super.visit(expr);
    }
  }

  private void visitParts(RelaxFunction function) {
    function.params().forEach(param -> at("parameter ", param, () -> define(param)));
    function.params().forEach(param -> at("parameter ", param, () -> useShapes(param.type())));
    vars.inside(() -> visit(function.body()));
    at("result type ", function.resultType(), () -> useShapes(function.resultType()));
  }

  @Override
  public void visit(BindingBlock block) {
    boolean outer = inDataflow;
    inDataflow = block.isDataflow();
    dataflowVars.inside(() -> super.visit(block));
    inDataflow = outer;
  }

  @Override
  void look(Binding binding) {
    boolean seesItself = binding instanceof VarBinding(RelaxVar var, RelaxFunction function);
    if (seesItself) {
      define(binding.var());
    }
    visit(binding.value());
    if (binding instanceof MatchCast cast) {
      useShapes(cast.target());
    }
    useShapes(binding.var().type());
    if (!(binding.var() instanceof DataflowVar)) {
      requireSeenOutside(binding.var().type());
    }
    if (!seesItself) {
      define(binding.var());
    }
  }

  private void define(RelaxVar var) {
    if (var instanceof DataflowVar && !inDataflow) {
      throw error(
          ErrorKind.VALUE,
          "the dataflow variable "
              + var
              + " is bound outside of a dataflow block; expected a variable of the other kind");
    }
    String owner = owners.putIfAbsent(var, function());
    if (owner != null) {
      throw error(
          ErrorKind.VALUE,
          "the variable "
              + var
              + " is bound twice, first in function "
              + owner
              + "; expected a variable of its own for each parameter and binding");
    }
    (var instanceof DataflowVar ? dataflowVars : vars).add(var);
  }

  /** WF-08: the type of a variable that leaves a block does not mention one that stays there. */
  private void requireSeenOutside(Type type) {
    for (RelaxVar shape : FreeVars.shapesOf(type)) {
      if (shape instanceof DataflowVar) {
        throw error(
            ErrorKind.VALUE,
            "the dataflow variable "
                + shape
                + " is in the type "
                + type
                + " of an output of its block; expected a type that is known outside");
      }
    }
  }

  private void useShapes(Type type) {
    FreeVars.shapesOf(type).forEach(this::use);
  }

  private void use(RelaxVar var) {
    if (vars.sees(var) || dataflowVars.sees(var)) {
      return;
    }
    String owner = owners.get(var);
    String problem;
    if (owner == null) {
      problem =
          "the variable "
              + var
              + " is not bound here; expected a parameter or a binding in front of its use";
    } else if (!owner.equals(function())) {
      problem =
          "the variable "
              + var
              + " belongs to function "
              + owner
              + "; expected function "
              + function()
              + " to have variables of its own";
    } else if (var instanceof DataflowVar) {
      problem =
          "the dataflow variable "
              + var
              + " is used outside of the block that binds it; expected an output of the block";
    } else {
      problem =
          "the variable "
              + var
              + " is bound in a branch or a local function, and used outside; expected it to be a"
              + " part of the result of that";
    }
    throw error(ErrorKind.VALUE, problem);
  }
}
