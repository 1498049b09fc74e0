package org.relaxvm.compiler.rewrite;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.type.Type;

/**
 * Removes bindings whose values nobody uses, in branches and local functions too. A binding stays
 * when its value has an effect, and when it is a match_cast, which checks; in dataflow blocks only
 * the latter counts.
 *
 * <p>Source: docs/spec/passes.md, section 15.
 */
public final class RemoveUnused {
  private final Purity purity;
  private final Map<RelaxVar, Binding> bindings = new IdentityHashMap<>();
  private final Set<RelaxVar> live = Collections.newSetFromMap(new IdentityHashMap<>());

  private RemoveUnused(Purity purity) {
    this.purity = purity;
  }

  /**
   * A function without the bindings that nobody needs.
   *
   * @return the function itself when it needs all
   */
  public static RelaxFunction in(RelaxFunction function, Purity purity) {
    RemoveUnused removal = new RemoveUnused(purity);
    removal.new Collector().visit(function);
    Liveness liveness = removal.new Liveness();
    liveness.run(function);
    return (RelaxFunction) removal.kept(function);
  }

  private final class Collector extends ExprVisitor {
    @Override
    public void visit(Binding binding) {
      bindings.put(binding.var(), binding);
      super.visit(binding);
    }
  }

  private final class Liveness extends ExprVisitor {
    // Not recursive: a chain of uses is as long as the function.
    private final Deque<Binding> waiting = new ArrayDeque<>();

    void run(RelaxFunction function) {
      visit(function);
      while (!waiting.isEmpty()) {
        visit(waiting.pop().value());
      }
    }

    @Override
    public void visit(Expr expr) {
      switch (expr) {
        case RelaxVar var -> use(var);
        case Call call -> {
          super.visit(call);
          call.typeArgs().forEach(this::say);
        }
        case RelaxFunction function -> {
          function.params().forEach(param -> say(param.type()));
          say(function.resultType());
          super.visit(function);
        }
        default -> super.visit(expr);
      }
    }

    @Override
    public void visit(BindingBlock block) {
      for (Binding binding : block.bindings()) {
        boolean stays =
            binding instanceof MatchCast
                || checks(binding.value())
                || (!block.isDataflow() && purity.hasEffect(binding.value()));
        if (stays) {
          use(binding.var());
        }
      }
    }

    private void use(RelaxVar var) {
      if (!live.add(var)) {
        return;
      }
      say(var.type());
      Binding binding = bindings.get(var);
      if (binding instanceof MatchCast cast) {
        say(cast.target());
      }
      if (binding != null) {
        waiting.push(binding);
      }
    }

    private void say(Type type) {
      FreeVars.shapesOf(type).forEach(this::use);
    }
  }

  /** Whether a branch of a choice has a match_cast. */
  private static boolean checks(Expr expr) {
    return expr instanceof If choice && (checks(choice.whenTrue()) || checks(choice.whenFalse()));
  }

  private static boolean checks(SeqExpr seq) {
    return seq.bindings()
        .anyMatch(binding -> binding instanceof MatchCast || checks(binding.value()));
  }

  private Expr kept(Expr expr) {
    return switch (expr) {
      case If choice -> {
        SeqExpr whenTrue = kept(choice.whenTrue());
        SeqExpr whenFalse = kept(choice.whenFalse());
        boolean same = whenTrue.equals(choice.whenTrue()) && whenFalse.equals(choice.whenFalse());
        yield same ? choice : new If(choice.condition(), whenTrue, whenFalse, choice.knownType());
      }
      case RelaxFunction function -> {
        SeqExpr body = kept(function.body());
        yield body.equals(function.body())
            ? function
            : function.withBody(body, function.resultType());
      }
      default -> expr;
    };
  }

  private SeqExpr kept(SeqExpr seq) {
    List<BindingBlock> blocks = new ArrayList<>();
    for (BindingBlock block : seq.blocks()) {
      List<Binding> stay = new ArrayList<>();
      for (Binding binding : block.bindings()) {
        if (live.contains(binding.var())) {
          stay.add(kept(binding));
        }
      }
      blocks.add(new BindingBlock(stay, block.isDataflow()));
    }
    return new SeqExpr(Blocks.joined(blocks), seq.body(), seq.knownType());
  }

  private Binding kept(Binding binding) {
    return switch (binding) {
      case VarBinding(RelaxVar var, Expr value) -> {
        Expr left = kept(value);
        yield left.equals(value) ? binding : new VarBinding(var, left);
      }
      case MatchCast cast -> cast;
    };
  }
}
