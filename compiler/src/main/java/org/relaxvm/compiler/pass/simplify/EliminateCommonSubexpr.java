package org.relaxvm.compiler.pass.simplify;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.rewrite.ExprVisitor;
import org.relaxvm.compiler.rewrite.Overwritten;
import org.relaxvm.compiler.rewrite.Purity;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;

/**
 * Computes once what is bound several times: a later variable of an equal value stands for the
 * first one. Its binding stays until the removal of dead code. What a call in place overwrites has
 * memory of its own.
 *
 * <p>Source: docs/spec/passes.md, section 16.
 *
 * @param callOnly whether only calls are shared
 */
public record EliminateCommonSubexpr(boolean callOnly) implements Pass {
  /** Shares all that can be shared. */
  public EliminateCommonSubexpr() {
    this(false);
  }

  @Override
  public String name() {
    return "EliminateCommonSubexpr";
  }

  @Override
  public IRModule run(IRModule module, PassContext context) {
    return new Sharing(module, callOnly).run();
  }

  private static final class Sharing extends ExprMutator {
    private final Purity purity = new Purity(builder::find);
    private final boolean callOnly;
    private final boolean hasVDevices;
    private Map<BoundValue, RelaxVar> known = new HashMap<>();
    private Map<RelaxVar, RelaxVar> shared = new IdentityHashMap<>();
    private Set<RelaxVar> overwritten = Set.of();

    Sharing(IRModule module, boolean callOnly) {
      super(module);
      this.hasVDevices = !module.vdevices().isEmpty();
      this.callOnly = callOnly;
    }

    @Override
    protected RelaxFunction rewrite(GlobalVar name, RelaxFunction function) {
      overwritten = Overwritten.in(function);
      return scoped(false, () -> super.rewrite(name, function));
    }

    @Override
    protected RelaxFunction rewriteLocal(@Nullable RelaxVar var, RelaxFunction function) {
      return scoped(false, () -> super.rewriteLocal(var, function));
    }

    @Override
    protected SeqExpr rewriteBranch(SeqExpr branch) {
      return scoped(true, () -> super.rewriteBranch(branch));
    }

    /** Forgets after a part of the program what became known in it. */
    private <T> T scoped(boolean seesOutside, Supplier<T> part) {
      Map<BoundValue, RelaxVar> outerKnown = known;
      Map<RelaxVar, RelaxVar> outerShared = shared;
      known = seesOutside ? new HashMap<>(known) : new HashMap<>();
      shared = seesOutside ? new IdentityHashMap<>(shared) : new IdentityHashMap<>();
      T result = part.get();
      known = outerKnown;
      shared = outerShared;
      return result;
    }

    @Override
    protected void rewrite(BindingBlock block) {
      if (!block.isDataflow()) {
        super.rewrite(block);
        return;
      }
      Map<RelaxVar, RelaxVar> outerShared = shared;
      shared = new IdentityHashMap<>(shared);
      super.rewrite(block);
      shared = outerShared;
      known.values().removeIf(DataflowVar.class::isInstance);
    }

    @Override
    protected void rewrite(Binding binding) {
      switch (binding) {
        case VarBinding(RelaxVar var, RelaxFunction function) -> super.rewrite(binding);
        case VarBinding simple -> {
          Expr value = rewrite(simple.value());
          if (!isShared(simple.var(), value, Optional.empty())) {
            reEmit(simple, value);
            remember(simple.var(), value, Optional.empty());
          }
        }
        case MatchCast cast -> {
          Expr value = rewriteArgument(cast.value());
          Optional<Type> target = Optional.of(rewriteType(cast.target()));
          if (!isShared(cast.var(), value, target)) {
            super.rewrite(cast);
            remember(cast.var(), value, target);
          }
        }
      }
    }

    private boolean isShared(RelaxVar var, Expr value, Optional<Type> target) {
      boolean mayShare = canShare(value, target) && !overwritten.contains(var);
      RelaxVar first = mayShare ? known.get(new BoundValue(value, target)) : null;
      if (first == null) {
        return false;
      }
      boolean sameType = first.type().equals(var.type());
      RelaxVar now = sameType ? var : var.renewed(first.type());
      builder.emitNormalized(new VarBinding(now, first));
      if (!sameType) {
        replace(var, now);
      }
      shared.put(var, first);
      return true;
    }

    private void remember(RelaxVar var, Expr value, Optional<Type> target) {
      boolean mayShare = canShare(value, target) && !overwritten.contains(var);
      if (mayShare && current(var) instanceof RelaxVar now) {
        known.putIfAbsent(new BoundValue(value, target), now);
      }
    }

    private boolean canShare(Expr value, Optional<Type> target) {
      boolean isAlias = value instanceof RelaxVar && target.isEmpty();
      boolean isKind = value instanceof Call || (!callOnly && !isAlias);
      return isKind && !purity.hasEffect(value) && !allocates(value) && !mayLieElsewhere(value);
    }

    /** A value whose device no tensor determines may be needed in two of them. */
    private boolean mayLieElsewhere(Expr value) {
      return hasVDevices
          && value instanceof Call call
          && call.type() instanceof TensorType type
          && type.vdevice().isEmpty();
    }

    @Override
    protected Expr rewrite(Expr expr) {
      return expr instanceof RelaxVar var && shared.containsKey(var)
          ? shared.get(var)
          : super.rewrite(expr);
    }
  }

  private static boolean allocates(Expr value) {
    boolean[] found = new boolean[1];
    new ExprVisitor() {
      @Override
      public void visit(Expr expr) {
        found[0] |=
            expr instanceof Call call && call.callee() instanceof OpDef op && op.isAllocator();
        super.visit(expr);
      }
    }.visit(value);
    return found[0];
  }
}
