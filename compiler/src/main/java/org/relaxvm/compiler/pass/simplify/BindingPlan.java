package org.relaxvm.compiler.pass.simplify;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.rewrite.ExprVisitor;
import org.relaxvm.compiler.rewrite.FreeVars;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.check.TypeEquality;

/**
 * Finds out of a function which variables only stand for others, and which are seen outside of
 * their dataflow blocks once nobody uses those any more.
 */
final class BindingPlan {
  /** Blocks that are no dataflow blocks, and parameters, have this number. */
  private static final int OUTSIDE = 0;

  private final Map<RelaxVar, Expr> leaves = new IdentityHashMap<>();
  private final Map<RelaxVar, Expr> values = new IdentityHashMap<>();
  private final Map<RelaxVar, Integer> homes = new IdentityHashMap<>();
  private final Map<RelaxVar, List<RelaxVar>> aliases = new IdentityHashMap<>();
  private final Set<RelaxVar> inTypes = identitySet();
  private final Set<RelaxVar> seenOutside = identitySet();
  private final Set<RelaxVar> directlySeenOutside = identitySet();

  private BindingPlan() {}

  /** A plan that leaves all as it is. */
  static BindingPlan none() {
    return new BindingPlan();
  }

  /** The plan for a function. */
  static BindingPlan of(RelaxFunction function) {
    BindingPlan plan = new BindingPlan();
    plan.new Types().visit(function);
    plan.new Definitions().visit(function);
    plan.new Uses().visit(function);
    return plan;
  }

  private static Set<RelaxVar> identitySet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  /** What a variable stands for: another one, a constant, or itself. */
  Expr leaf(RelaxVar var) {
    return leaves.getOrDefault(var, var);
  }

  /** Whether a binding only gives a variable another name, so that it can go. */
  boolean isTrivial(RelaxVar var) {
    return leaves.get(var) instanceof RelaxVar;
  }

  /** What is bound to a variable, as simple as it can be said. */
  Expr value(VarBinding binding) {
    return values.getOrDefault(binding.var(), binding.value());
  }

  /** The variable that is to be bound instead of one that stands for itself. */
  RelaxVar renamed(RelaxVar var) {
    if (homes.getOrDefault(var, OUTSIDE) == OUTSIDE) {
      return var;
    }
    boolean isOutput = seenOutside.contains(var) || inTypes.contains(var);
    if (isOutput && var instanceof DataflowVar) {
      List<RelaxVar> names =
          aliases.getOrDefault(var, List.of()).stream()
              .filter(alias -> !(alias instanceof DataflowVar))
              .toList();
      RelaxVar name =
          names.stream()
              .filter(directlySeenOutside::contains)
              .findFirst()
              .or(() -> names.stream().findFirst())
              .orElseGet(() -> new RelaxVar(var.name(), var.type(), var.sourceNodes()));
      return TypeEquality.exact().same(name.type(), var.type()) ? name : name.renewed(var.type());
    }
    return isOutput || var instanceof DataflowVar
        ? var
        : new DataflowVar(var.name(), var.type(), var.sourceNodes());
  }

  /** Numbers the blocks as a walk goes through them. */
  private abstract static class BlockVisitor extends ExprVisitor {
    private int blocks;
    protected int block = OUTSIDE;

    @Override
    public void visit(BindingBlock next) {
      int outer = block;
      block = next.isDataflow() ? ++blocks : OUTSIDE;
      super.visit(next);
      block = outer;
    }

    @Override
    public void visit(Expr expr) {
      int outer = block;
      if (expr instanceof RelaxFunction) {
        block = OUTSIDE;
      }
      super.visit(expr);
      block = outer;
    }
  }

  /** Variables in types keep their bindings. */
  private final class Types extends ExprVisitor {
    @Override
    public void visit(Expr expr) {
      if (expr instanceof Call call) {
        call.typeArgs().forEach(this::say);
      }
      if (expr instanceof RelaxFunction function) {
        function.params().forEach(param -> say(param.type()));
        say(function.resultType());
      }
      super.visit(expr);
    }

    @Override
    public void visit(Binding binding) {
      say(binding.var().type());
      super.visit(binding);
    }

    private void say(Type type) {
      inTypes.addAll(FreeVars.shapesOf(type));
    }
  }

  private final class Definitions extends BlockVisitor {
    @Override
    public void visit(Binding binding) {
      RelaxVar var = binding.var();
      homes.put(var, block);
      switch (binding) {
        case VarBinding(RelaxVar v, Expr value) -> define(var, simple(value));
        case MatchCast cast -> {
          // Only where nothing is left to check is the variable another name for the value.
          Expr value = leafOf(cast.value());
          boolean same =
              value.knownType().stream()
                  .anyMatch(type -> TypeEquality.exact().same(type, cast.target()));
          if (same) {
            name(var, value);
          }
        }
      }
      super.visit(binding);
    }

    private void define(RelaxVar var, Expr value) {
      values.put(var, value);
      name(var, value);
    }

    private void name(RelaxVar var, Expr value) {
      boolean isName = value instanceof RelaxVar || value instanceof Constant;
      if (isName && !inTypes.contains(var)) {
        leaves.put(var, value);
        if (value instanceof RelaxVar end) {
          aliases.computeIfAbsent(end, unused -> new ArrayList<>()).add(var);
        }
      }
    }

    private Expr leafOf(Expr expr) {
      return expr instanceof RelaxVar var ? leaf(var) : expr;
    }

    private Expr simple(Expr value) {
      return switch (value) {
        case RelaxVar var -> leaf(var);
        case TupleGetItem(Expr tuple, int index) -> {
          Expr known = leafOf(tuple);
          Expr fields = known instanceof RelaxVar var ? values.getOrDefault(var, var) : known;
          yield fields instanceof Tuple(List<Expr> items) ? leafOf(items.get(index)) : value;
        }
        case Tuple(List<Expr> fields) -> whole(fields).orElse(value);
        default -> value;
      };
    }

    /** The variable whose fields these are, all and in order. */
    private Optional<Expr> whole(List<Expr> fields) {
      Expr first = fields.isEmpty() ? Tuple.EMPTY : tupleOf(fields.getFirst(), 0);
      boolean all =
          first.knownType().orElse(null) instanceof TupleType(List<Type> types)
              && !types.isEmpty()
              && types.size() == fields.size();
      for (int i = 1; all && i < fields.size(); i++) {
        all = tupleOf(fields.get(i), i).equals(first);
      }
      return all ? Optional.of(first) : Optional.empty();
    }

    /** The variable of which an expression is a field; the tuple of nothing when it is none. */
    private Expr tupleOf(Expr field, int index) {
      return leafOf(field) instanceof RelaxVar var
              && values.get(var) instanceof TupleGetItem(RelaxVar tuple, int i)
              && i == index
          ? leafOf(tuple)
          : Tuple.EMPTY;
    }
  }

  private final class Uses extends BlockVisitor {
    @Override
    public void visit(Binding binding) {
      if (isTrivial(binding.var())) {
        visitDirectly(binding.value());
        return;
      }
      if (binding instanceof VarBinding simple) {
        visitDirectly(simple.value());
        visit(value(simple));
      } else {
        super.visit(binding);
      }
    }

    /** Variables that the program mentions itself, though it may not any more. */
    private void visitDirectly(Expr value) {
      FreeVars.of(value).forEach(this::mention);
    }

    @Override
    public void visit(Expr expr) {
      if (expr instanceof RelaxVar var) {
        mention(var);
        if (leaf(var) instanceof RelaxVar now && isOutside(now)) {
          seenOutside.add(now);
        }
      }
      super.visit(expr);
    }

    private void mention(RelaxVar var) {
      if (isOutside(var) || homes.getOrDefault(var, OUTSIDE) == OUTSIDE) {
        directlySeenOutside.add(var);
      }
    }

    private boolean isOutside(RelaxVar var) {
      return homes.getOrDefault(var, OUTSIDE) != block;
    }
  }
}
