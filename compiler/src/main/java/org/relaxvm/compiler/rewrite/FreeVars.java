package org.relaxvm.compiler.rewrite;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.ShapeVar;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * The variables of an expression, in the order in which it mentions them. Types count where the
 * program says them and where variables are bound.
 *
 * <p>Source: docs/spec/relax-ir.md, section 8.6.
 */
public final class FreeVars {
  private final SequencedSet<RelaxVar> all = new LinkedHashSet<>();
  private final SequencedSet<RelaxVar> bound = new LinkedHashSet<>();
  private final SequencedSet<Var> symbols = new LinkedHashSet<>();
  private final SequencedSet<Var> defined = new LinkedHashSet<>();

  private FreeVars(Expr expr) {
    new Collector().visit(expr);
  }

  /**
   * Those that the expression uses and does not bind: what it needs from around it. A local
   * function that calls itself does not need its own variable.
   */
  public static SequencedSet<RelaxVar> of(Expr expr) {
    FreeVars vars = new FreeVars(expr);
    vars.all.removeAll(vars.bound);
    return vars.all;
  }

  /** Parameters and variables of bindings. */
  public static SequencedSet<RelaxVar> boundIn(Expr expr) {
    return new FreeVars(expr).bound;
  }

  /** Those that are used or bound. */
  public static SequencedSet<RelaxVar> allIn(Expr expr) {
    return new FreeVars(expr).all;
  }

  /** The symbolic variables that are used and that neither parameters nor match_casts define. */
  public static SequencedSet<Var> symbolsOf(Expr expr) {
    FreeVars vars = new FreeVars(expr);
    vars.symbols.removeAll(vars.defined);
    return vars.symbols;
  }

  /** The symbolic variables that parameters and match_casts define or say again. */
  public static SequencedSet<Var> symbolsBoundIn(Expr expr) {
    return new FreeVars(expr).defined;
  }

  /** The symbolic variables that are used or defined. */
  public static SequencedSet<Var> symbolsIn(Expr expr) {
    return new FreeVars(expr).symbols;
  }

  /** The variables that hold the shapes of a type. */
  public static List<RelaxVar> shapesOf(Type type) {
    return switch (type) {
      case TensorType tensor ->
          tensor.shape().orElse(null) instanceof TensorShape.OfVar(ShapeVar shape)
                  && shape instanceof RelaxVar var
              ? List.of(var)
              : List.of();
      case TupleType(List<Type> fields) ->
          fields.stream().flatMap(field -> shapesOf(field).stream()).toList();
      default -> List.of();
    };
  }

  private final class Collector extends ExprVisitor {
    @Override
    public void visit(Expr expr) {
      switch (expr) {
        case RelaxVar var -> all.add(var);
        case ShapeExpr(List<PrimExpr> values) -> say(ShapeType.of(values));
        case PrimValue(PrimExpr value) -> symbols.addAll(Symbols.usedBy(value));
        case Call call -> {
          super.visit(call);
          call.typeArgs().forEach(this::say);
        }
        case RelaxFunction function -> {
          function.params().forEach(this::bind);
          function.params().forEach(param -> defined.addAll(Symbols.definedBy(param.type())));
          super.visit(function);
          say(function.resultType());
        }
        default -> super.visit(expr);
      }
    }

    @Override
    public void visit(Binding binding) {
      super.visit(binding);
      if (binding instanceof MatchCast cast) {
        say(cast.target());
        defined.addAll(Symbols.definedBy(cast.target()));
      }
      bind(binding.var());
    }

    private void bind(RelaxVar var) {
      say(var.type());
      all.add(var);
      bound.add(var);
    }

    private void say(Type type) {
      symbols.addAll(Symbols.usedBy(type));
      all.addAll(shapesOf(type));
    }
  }
}
