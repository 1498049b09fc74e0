package org.relaxvm.compiler.pass.simplify;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.rewrite.SymbolInference;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Replaces symbolic variables by what is known of them: a match_cast that would define a variable
 * as an extent that its value is known to have does not need it.
 *
 * <p>Variables that are defined already stay, for a match_cast that mentions them is a check that
 * must not vanish. What is known in a branch is forgotten after it.
 */
final class KnownSymbols extends SymbolRewriter {

  KnownSymbols(IRModule module) {
    super(module);
  }

  @Override
  protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
    symbols = new LinkedHashMap<>();
    return super.rewrite(name, function);
  }

  @Override
  protected SeqExpr rewriteBranch(SeqExpr branch) {
    Map<Var, PrimExpr> outer = symbols;
    symbols = new LinkedHashMap<>(outer);
    SeqExpr rewritten = super.rewriteBranch(branch);
    symbols = outer;
    return rewritten;
  }

  @Override
  protected void rewrite(Binding binding) {
    if (binding instanceof MatchCast cast) {
      learn(cast);
    }
    super.rewrite(binding);
  }

  private void learn(MatchCast cast) {
    Expr value = rewriteArgument(cast.value());
    SymbolInference inference = new SymbolInference(builder.analyzer());
    inference.match(rewriteType(cast.target()), value.type());
    inference
        .values()
        .forEach(
            (symbol, extent) -> {
              if (!builder.symbols().contains(symbol)) {
                symbols.put(symbol, extent);
              }
            });
    Type target = rewriteType(cast.target());
    if (contradicts(target, value.type())) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "match_cast: "
              + value
              + " can never be "
              + target
              + ", for it is "
              + value.type()
              + "\n  what to do: correct the type or the value of the match_cast");
    }
  }

  private boolean contradicts(Type a, Type b) {
    return switch (a) {
      case ShapeType x ->
          b instanceof ShapeType y
              && contradict(x.dims().orElse(List.of()), y.dims().orElse(List.of()));
      case TensorType x ->
          b instanceof TensorType y
              && contradict(x.dims().orElse(List.of()), y.dims().orElse(List.of()));
      case TupleType(List<Type> x) -> {
        boolean found = false;
        if (b instanceof TupleType(List<Type> y) && x.size() == y.size()) {
          for (int i = 0; i < x.size(); i++) {
            found |= contradicts(x.get(i), y.get(i));
          }
        }
        yield found;
      }
      default -> false;
    };
  }

  private boolean contradict(List<PrimExpr> a, List<PrimExpr> b) {
    boolean found = false;
    for (int i = 0; i < a.size() && a.size() == b.size(); i++) {
      found |= builder.analyzer().canProve(Exprs.binary(BinaryOp.NE, a.get(i), b.get(i)));
    }
    return found;
  }
}
