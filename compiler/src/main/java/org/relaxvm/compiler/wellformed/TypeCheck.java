package org.relaxvm.compiler.wellformed;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.OpContext;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.TypeInference;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.BaseCheck;
import org.relaxvm.compiler.type.check.CommonType;
import org.relaxvm.compiler.type.check.Fit;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.tir.arith.Analyzer;

/**
 * Functions that are named exist, calls have the form that passes expect, and what is said of
 * values is not certainly wrong: WF-02, WF-19 and WF-20.
 */
final class TypeCheck extends LocatedVisitor implements OpContext {
  private final IRModule module;
  private final Analyzer analyzer = new Analyzer();
  private final BaseCheck bases = new BaseCheck(analyzer);
  private final Map<RelaxVar, Expr> bound = new IdentityHashMap<>();

  TypeCheck(GlobalVar function, IRModule module) {
    super(function);
    this.module = module;
  }

  @Override
  public Analyzer analyzer() {
    return analyzer;
  }

  @Override
  public Optional<ModuleFunction> find(GlobalVar name) {
    return module.find(name);
  }

  @Override
  public Optional<Expr> lookup(RelaxVar var) {
    return Optional.ofNullable(bound.get(var));
  }

  @Override
  public void visit(Expr expr) {
    switch (expr) {
      case GlobalVar name -> locating(() -> module.require(name));
      case Call call -> {
        super.visit(call);
        requireRight(call);
      }
      case If choice -> {
        super.visit(choice);
        locating(
            () -> {
              TypeInference.requireCondition(choice.condition());
              return choice;
            });
        Type common = CommonType.of(choice.whenTrue().type(), choice.whenFalse().type(), analyzer);
        requirePossible(choice, common);
      }
      case RelaxFunction function -> {
        function.params().forEach(param -> define(param.type()));
        super.visit(function);
        requireResult(function);
      }
      default -> super.visit(expr);
    }
  }

  private void requireRight(Call call) {
    requirePossible(call, locating(() -> TypeInference.derive(call, this)));
    if (call.callee() instanceof OpDef op) {
      Expr form = locating(() -> op.normalize(call, this));
      if (!form.equals(call)) {
        throw error(
            ErrorKind.VALUE,
            "the call "
                + call
                + " is not in the form that passes expect; expected "
                + form
                + ", which normalizing gives");
      }
      locating(
          () -> {
            op.validate(call, this);
            return call;
          });
    }
  }

  private void requirePossible(Expr expr, Type derived) {
    if (bases.check(expr.type(), derived) == Fit.IMPOSSIBLE) {
      throw error(
          ErrorKind.TYPE, expr + " is said to be " + expr.type() + ", but is certainly " + derived);
    }
  }

  private void requireResult(RelaxFunction function) {
    Expr result = function.body().body();
    Type type = TypeInference.of(result, this);
    if (bases.check(function.resultType(), type) == Fit.IMPOSSIBLE) {
      throw error(
          ErrorKind.TYPE,
          "the result must be " + function.resultType() + ", but " + result + " is " + type);
    }
  }

  @Override
  void look(Binding binding) {
    visit(binding.value());
    RelaxVar var = binding.var();
    switch (binding) {
      case VarBinding(RelaxVar same, Expr value) -> {
        Type type = TypeInference.of(value, this);
        if (bases.check(var.type(), type) != Fit.PASS) {
          throw error(
              ErrorKind.TYPE,
              "the variable "
                  + var
                  + " is said to be "
                  + var.type()
                  + ", but its value is "
                  + type
                  + "; expected what holds of each such value, or a match_cast");
        }
        bound.put(var, value);
      }
      case MatchCast(RelaxVar same, Expr value, Type target) -> {
        define(target);
        locating(
            () -> {
              TypeInference.requireCast(value, target, analyzer);
              return value;
            });
        if (!var.type().equals(target)) {
          throw error(
              ErrorKind.TYPE,
              "the variable "
                  + var
                  + " of a match_cast is said to be "
                  + var.type()
                  + "; expected "
                  + target);
        }
      }
    }
  }

  private void define(Type type) {
    Symbols.definedBy(type).forEach(analyzer::markNonNegative);
  }
}
