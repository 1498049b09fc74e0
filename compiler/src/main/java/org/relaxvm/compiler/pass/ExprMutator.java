package org.relaxvm.compiler.pass;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.rewrite.FreeVars;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.ShapeVar;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.BaseCheck;
import org.relaxvm.compiler.type.check.Fit;
import org.relaxvm.compiler.type.check.TypeEquality;
import org.relaxvm.compiler.type.check.TypeMapping;

/**
 * Rewrites functions binding by binding, and keeps them in normal form. A subclass overrides {@link
 * #rewrite(Call)} or another method, and may emit bindings with {@link #builder}: they land in
 * front of the current one, with names that no binding of the function has.
 *
 * <p>For one run of a pass; not thread-safe. Source: docs/spec/relax-ir.md, section 11.
 */
public abstract class ExprMutator {
  /** Holds the module, with the functions rewritten so far. */
  protected final BlockBuilder builder;

  private final IRModule module;
  private final Map<RelaxVar, Expr> replaced = new IdentityHashMap<>();

  /** A mutator of the functions of a module. */
  protected ExprMutator(IRModule module) {
    this.module = module;
    this.builder = new BlockBuilder(module);
  }

  /** Rewrites all functions over tensors, in order. */
  public IRModule run() {
    module.relaxFunctions().forEach((name, function) -> builder.put(name, rewrite(name, function)));
    return builder.module();
  }

  /** Rewrites a function of the module. */
  protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
    return rewriteFunction(name.name(), function);
  }

  /**
   * Rewrites a function with the parameters that it has. What is said of its result stays as long
   * as it may be so, even when less is known of the new body.
   */
  protected final RelaxFunction rewriteFunction(String name, RelaxFunction function) {
    builder.beginFunction(name, function.params());
    FreeVars.boundIn(function).forEach(builder::reserveName);
    Expr body = rewriteSequence(function.body());
    BaseCheck bases = new BaseCheck(builder.analyzer());
    Type said = rewriteType(function.resultType());
    // What replaces a function is a closure, which is called in another way.
    boolean mayHold = !(said instanceof FuncType) && bases.check(body.type(), said) == Fit.PASS;
    boolean holds = bases.check(said, body.type()) == Fit.PASS || mayHold;
    return builder.endFunction(
        function.params(),
        body,
        holds ? Optional.of(said) : Optional.empty(),
        function.isPure(),
        function.attrs());
  }

  /** Rewrites the blocks of a sequence that was begun, and gives its result. */
  protected Expr rewriteSequence(SeqExpr seq) {
    for (BindingBlock block : seq.blocks()) {
      rewrite(block);
    }
    builder.beginBlock(false);
    Expr body = rewriteArgument(seq.body());
    builder.endBlock();
    return body;
  }

  /** Rewrites a block. */
  protected void rewrite(BindingBlock block) {
    builder.beginBlock(block.isDataflow());
    for (Binding binding : block.bindings()) {
      builder.at(binding, () -> rewrite(binding));
    }
    builder.endBlock();
  }

  /** Rewrites a binding. */
  protected void rewrite(Binding binding) {
    switch (binding) {
      case VarBinding(RelaxVar var, RelaxFunction function) ->
          reEmit((VarBinding) binding, rewriteLocal(var, function));
      case VarBinding simple -> reEmit(simple, rewrite(simple.value()));
      case MatchCast cast -> {
        Expr value = rewriteArgument(cast.value());
        Type target = rewriteType(cast.target());
        boolean same = value.equals(cast.value()) && target.equals(cast.target());
        RelaxVar var = target.equals(cast.target()) ? cast.var() : cast.var().renewed(target);
        builder.emitNormalized(same ? cast : new MatchCast(var, value, target));
        replaceIfNew(cast.var(), var);
      }
    }
  }

  /**
   * Emits a binding with another value. If that is of another type, so is a new variable, which
   * replaces the old one.
   */
  protected final void reEmit(VarBinding old, Expr value) {
    if (value.equals(old.value())) {
      builder.emitNormalized(old);
      return;
    }
    Expr normal = builder.normalize(value);
    boolean same = TypeEquality.exact().same(old.var().type(), normal.type());
    RelaxVar var = same ? old.var() : old.var().renewed(normal.type());
    builder.emitNormalized(new VarBinding(var, normal));
    replaceIfNew(old.var(), var);
  }

  @SuppressWarnings("ReferenceEquality") // of variables that is equality
  private void replaceIfNew(RelaxVar old, RelaxVar var) {
    if (old != var) {
      replace(old, var);
    }
  }

  /** Replaces a variable by an expression, in normal form a leaf, from now on. */
  protected final void replace(RelaxVar var, Expr leaf) {
    replaced.put(var, leaf);
  }

  /** The replacement of a variable now: itself, unless it was replaced. */
  protected final Expr current(RelaxVar var) {
    Expr expr = replaced.getOrDefault(var, var);
    while (expr instanceof RelaxVar next && replaced.containsKey(next)) {
      expr = replaced.get(next);
    }
    return expr;
  }

  /** What a variable is bound to, as it was rewritten; empty for parameters and match_casts. */
  protected final Optional<Expr> lookup(RelaxVar var) {
    return current(var) instanceof RelaxVar now ? builder.lookup(now) : Optional.of(current(var));
  }

  /** Rewrites an expression; by default its parts. The result is in normal form. */
  protected Expr rewrite(Expr expr) {
    return switch (expr) {
      case RelaxVar var -> current(var);
      case Tuple tuple -> {
        List<Expr> fields = rewriteArguments(tuple.fields());
        yield fields.equals(tuple.fields()) ? tuple : new Tuple(fields);
      }
      case TupleGetItem(Expr tuple, int index) -> {
        Expr leaf = rewriteArgument(tuple);
        yield leaf.equals(tuple) ? expr : new TupleGetItem(leaf, index);
      }
      case Call call -> rewrite(call);
      case If choice -> rewrite(choice);
      case RelaxFunction function -> rewriteLocal(null, function);
      default -> expr;
    };
  }

  /** Rewrites a call; by default its parts. */
  protected Expr rewrite(Call call) {
    return rewriteParts(call);
  }

  /** The call with its parts rewritten, typed. */
  protected final Call rewriteParts(Call call) {
    Expr callee = rewriteArgument(call.callee());
    List<Expr> args = rewriteArguments(call.args());
    List<Type> typeArgs = call.typeArgs().stream().map(this::rewriteType).toList();
    boolean same =
        callee.equals(call.callee())
            && args.equals(call.args())
            && typeArgs.equals(call.typeArgs());
    if (same) {
      return call;
    }
    Expr normal = builder.normalize(Call.of(callee, args, call.attrs(), typeArgs));
    return (Call) normal;
  }

  /** Rewrites a choice; by default its parts. */
  protected Expr rewrite(If choice) {
    Expr condition = rewriteArgument(choice.condition());
    SeqExpr whenTrue = rewriteBranch(choice.whenTrue());
    SeqExpr whenFalse = rewriteBranch(choice.whenFalse());
    return builder.normalize(If.of(condition, whenTrue, whenFalse));
  }

  /** Rewrites a branch. */
  protected SeqExpr rewriteBranch(SeqExpr branch) {
    builder.beginSequence();
    return builder.endSequence(rewriteSequence(branch));
  }

  /** Rewrites a local function; by default its body. */
  protected RelaxFunction rewriteLocal(@Nullable RelaxVar var, RelaxFunction function) {
    return rewriteFunction(var == null ? "(local)" : var.name(), function);
  }

  /** Rewrites a part of an expression: the result is a leaf. */
  protected final Expr rewriteArgument(Expr expr) {
    return builder.argument(rewrite(expr));
  }

  /** Rewrites parts of an expression. */
  protected final List<Expr> rewriteArguments(List<Expr> exprs) {
    List<Expr> leaves = new ArrayList<>();
    exprs.forEach(expr -> leaves.add(rewriteArgument(expr)));
    return leaves;
  }

  /** A type with the variables that replaced others. */
  protected Type rewriteType(Type type) {
    return new TypeMapping(Optional::of, this::currentShape, Optional.empty()).apply(type);
  }

  private Optional<TensorShape> currentShape(ShapeVar var) {
    ShapeVar now =
        var instanceof RelaxVar old && current(old) instanceof RelaxVar next ? next : var;
    return Optional.of(new TensorShape.OfVar(now));
  }
}
