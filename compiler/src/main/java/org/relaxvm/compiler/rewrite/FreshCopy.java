package org.relaxvm.compiler.rewrite;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.type.ShapeVar;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.TypeMapping;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;

/**
 * Copies functions so that copy and original share no variable that one of them binds: neither
 * variables of the program nor symbolic ones. Types, also those of calls, are those of the original
 * in terms of the new variables.
 *
 * <p>Source: docs/spec/relax-ir.md, sections 10 (WF-04) and 13.
 */
public final class FreshCopy {
  private final Map<RelaxVar, Expr> vars;
  private final Map<Var, PrimExpr> symbols = new IdentityHashMap<>();
  private final TypeMapping types = new TypeMapping(this::symbol, this::shape, Optional.empty());

  private FreshCopy(Map<RelaxVar, ? extends Expr> vars) {
    this.vars = new IdentityHashMap<>(vars);
  }

  /** A copy; variables that the function does not bind are shared. */
  public static RelaxFunction of(RelaxFunction function) {
    return of(function, Map.of());
  }

  /**
   * A copy with leaves instead of variables that the function does not bind.
   *
   * @param replaced for a variable that holds the shape of a tensor another variable or a shape; of
   *     types with others the shape is dropped
   */
  public static RelaxFunction of(RelaxFunction function, Map<RelaxVar, ? extends Expr> replaced) {
    FreshCopy copy = new FreshCopy(replaced);
    for (Var symbol : FreeVars.symbolsBoundIn(function)) {
      copy.symbols.put(symbol, new Var(symbol.name(), symbol.dtype()));
    }
    return copy.function(function);
  }

  /** The replacement of a variable; what replaces one may be a parameter of the copy. */
  private Expr current(RelaxVar var) {
    Expr now = vars.getOrDefault(var, var);
    return now instanceof RelaxVar next && !next.equals(var) ? current(next) : now;
  }

  private Optional<PrimExpr> symbol(Var var) {
    return Optional.of(symbols.getOrDefault(var, var));
  }

  private Optional<TensorShape> shape(ShapeVar var) {
    Expr now = var instanceof RelaxVar old ? current(old) : null;
    return switch (now) {
      case null -> Optional.of(new TensorShape.OfVar(var));
      case RelaxVar next -> Optional.of(new TensorShape.OfVar(next));
      case ShapeExpr(List<PrimExpr> values) -> Optional.of(new TensorShape.Known(values));
      default -> Optional.empty();
    };
  }

  private PrimExpr scalar(PrimExpr expr) {
    return Substitution.in(expr, symbols);
  }

  private RelaxVar bind(RelaxVar var) {
    RelaxVar fresh = var.renewed(types.apply(var.type()));
    vars.put(var, fresh);
    return fresh;
  }

  private RelaxFunction function(RelaxFunction function) {
    // A shape variable among the parameters may stand after the tensors that have its shape.
    List<RelaxVar> params = new ArrayList<>();
    for (RelaxVar param : function.params()) {
      if (FreeVars.shapesOf(param.type()).isEmpty()) {
        bind(param);
      }
    }
    for (RelaxVar param : function.params()) {
      params.add(vars.get(param) instanceof RelaxVar fresh ? fresh : bind(param));
    }
    SeqExpr body = seq(function.body());
    Type result = types.apply(function.resultType());
    return new RelaxFunction(params, body, result, function.isPure(), function.attrs());
  }

  private SeqExpr seq(SeqExpr seq) {
    List<BindingBlock> blocks = new ArrayList<>();
    for (BindingBlock block : seq.blocks()) {
      List<Binding> bindings = new ArrayList<>();
      block.bindings().forEach(binding -> bindings.add(binding(binding)));
      blocks.add(new BindingBlock(bindings, block.isDataflow()));
    }
    return new SeqExpr(blocks, expr(seq.body()), seq.knownType().map(types::apply));
  }

  private Binding binding(Binding binding) {
    return switch (binding) {
      case VarBinding(RelaxVar var, RelaxFunction function) -> {
        // It may call itself.
        RelaxVar fresh = bind(var);
        yield new VarBinding(fresh, function(function));
      }
      case VarBinding(RelaxVar var, Expr value) -> {
        Expr copy = expr(value);
        yield new VarBinding(bind(var), copy);
      }
      case MatchCast(RelaxVar var, Expr value, Type target) -> {
        Expr copy = expr(value);
        yield new MatchCast(bind(var), copy, types.apply(target));
      }
    };
  }

  private Expr expr(Expr expr) {
    return switch (expr) {
      case RelaxVar var -> current(var);
      case ShapeExpr(List<PrimExpr> values) ->
          new ShapeExpr(values.stream().map(this::scalar).toList());
      case PrimValue(PrimExpr value) -> new PrimValue(scalar(value));
      case Tuple(List<Expr> fields) -> new Tuple(all(fields));
      case TupleGetItem(Expr tuple, int index) -> new TupleGetItem(expr(tuple), index);
      case Call call ->
          new Call(
              expr(call.callee()),
              all(call.args()),
              call.attrs(),
              call.typeArgs().stream().map(types::apply).toList(),
              call.knownType().map(types::apply));
      case SeqExpr seq -> seq(seq);
      case If choice ->
          new If(
              expr(choice.condition()),
              seq(choice.whenTrue()),
              seq(choice.whenFalse()),
              choice.knownType().map(types::apply));
      case RelaxFunction function -> function(function);
      default -> expr;
    };
  }

  private List<Expr> all(List<Expr> exprs) {
    return exprs.stream().map(this::expr).toList();
  }
}
