package org.relaxvm.compiler.pass.simplify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.type.ShapeVar;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.TypeMapping;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;

/**
 * Replaces symbolic variables by expressions, in values and in types. Parameters and variables
 * whose types change become new ones.
 */
class SymbolRewriter extends ExprMutator {
  /** What takes the place of symbolic variables. */
  protected Map<Var, PrimExpr> symbols = new LinkedHashMap<>();

  SymbolRewriter(IRModule module) {
    super(module);
  }

  @Override
  protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
    return rewriteFunction(name.name(), withNewParams(function));
  }

  @Override
  protected RelaxFunction rewriteLocal(@Nullable RelaxVar var, RelaxFunction function) {
    return super.rewriteLocal(var, withNewParams(function));
  }

  private RelaxFunction withNewParams(RelaxFunction function) {
    List<RelaxVar> params = new ArrayList<>();
    for (RelaxVar param : function.params()) {
      Type type = rewriteType(param.type());
      if (!type.equals(param.type())) {
        replace(param, param.renewed(type));
      }
      params.add(current(param) instanceof RelaxVar now ? now : param);
    }
    return new RelaxFunction(
        params,
        function.body(),
        rewriteType(function.resultType()),
        function.isPure(),
        function.attrs());
  }

  @Override
  protected Expr rewrite(Expr expr) {
    return switch (expr) {
      case ShapeExpr(List<PrimExpr> values) ->
          new ShapeExpr(values.stream().map(this::rewriteScalar).toList());
      case PrimValue(PrimExpr value) -> new PrimValue(rewriteScalar(value));
      default -> super.rewrite(expr);
    };
  }

  private PrimExpr rewriteScalar(PrimExpr expr) {
    PrimExpr replaced = Substitution.in(expr, symbols);
    return replaced.equals(expr) ? expr : builder.analyzer().simplify(replaced);
  }

  @Override
  protected Type rewriteType(Type type) {
    TypeMapping known =
        new TypeMapping(
            var -> Optional.of(symbols.getOrDefault(var, var)),
            SymbolRewriter::same,
            Optional.of(builder.analyzer()));
    return known.apply(super.rewriteType(type));
  }

  private static Optional<TensorShape> same(ShapeVar var) {
    return Optional.of(new TensorShape.OfVar(var));
  }
}
