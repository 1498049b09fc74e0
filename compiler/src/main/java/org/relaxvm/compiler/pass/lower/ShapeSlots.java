package org.relaxvm.compiler.pass.lower;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.Set;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.rewrite.ExprVisitor;
import org.relaxvm.compiler.rewrite.LiveVars;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * The slots that the symbolic expressions of one function have in the heap of a call, and which of
 * them are filled at the point that is being compiled. Expressions that are the same tree share a
 * slot; nothing is simplified.
 *
 * <p>Not thread-safe. Source: docs/spec/passes.md, sections 13.1 and 13.5.
 */
final class ShapeSlots {
  private final SequencedMap<PrimExpr, Integer> slots = new LinkedHashMap<>();
  private final List<PrimExpr> exprs = new ArrayList<>();
  private final Deque<Integer> ready = new ArrayDeque<>();
  private State state = new State(new boolean[0], new int[0]);

  /**
   * What is filled.
   *
   * @param filled by slot
   * @param missing by slot: how many variables of the expression are not filled
   */
  record State(boolean[] filled, int[] missing) {
    State copy() {
      return new State(filled.clone(), missing.clone());
    }
  }

  private ShapeSlots() {}

  /**
   * The slots of a function: of its parameters first, then of what its body uses, then of its
   * result. What only a type in between mentions has none.
   */
  static ShapeSlots of(RelaxFunction function) {
    ShapeSlots slots = new ShapeSlots();
    function.params().forEach(param -> Symbols.dims(param.type()).forEach(slots::add));
    slots.new Collector(LiveVars.of(function, ShapeSlots::mayGo)).visit(function.body());
    Symbols.dims(function.resultType()).forEach(slots::add);
    slots.begin();
    return slots;
  }

  /** Whether the bindings of a value may go when nothing uses them. */
  static boolean mayGo(Expr value) {
    return value.isLeaf() || value instanceof TupleGetItem;
  }

  private final class Collector extends ExprVisitor {
    private final Set<RelaxVar> live;

    Collector(Set<RelaxVar> live) {
      this.live = live;
    }

    @Override
    public void visit(Expr expr) {
      switch (expr) {
        case ShapeExpr(var values) -> values.forEach(ShapeSlots.this::add);
        case PrimValue(PrimExpr value) -> add(value);
        case RelaxFunction local -> {} // It has a heap of its own.
        default -> super.visit(expr);
      }
    }

    @Override
    public void visit(Binding binding) {
      switch (binding) {
        case VarBinding(RelaxVar var, Expr value) when mayGo(value) && !live.contains(var) -> {}
        case VarBinding simple -> visit(simple.value());
        case MatchCast cast -> {
          visit(cast.value());
          Symbols.dims(cast.target()).forEach(ShapeSlots.this::add);
        }
      }
    }
  }

  private void add(PrimExpr expr) {
    if (expr instanceof IntImm || expr instanceof FloatImm) {
      return;
    }
    if (expr.dtype().isFloat()) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "the number "
              + PrimText.print(expr)
              + " is "
              + expr.dtype()
              + ", but the heap of extents holds integers; run ComputePrimValue first");
    }
    assignSlot(expr);
    Symbols.usedBy(expr).forEach(this::assignSlot);
  }

  private void assignSlot(PrimExpr expr) {
    if (slots.putIfAbsent(expr, exprs.size()) == null) {
      exprs.add(expr);
    }
  }

  private void begin() {
    int[] missing = new int[exprs.size()];
    Arrays.setAll(missing, i -> isVar(i) ? 0 : Symbols.usedBy(exprs.get(i)).size());
    state = new State(new boolean[exprs.size()], missing);
  }

  private boolean isVar(int slot) {
    return exprs.get(slot) instanceof Var;
  }

  /** The number of slots. */
  int size() {
    return exprs.size();
  }

  /** The slot of an expression; empty when it has none. */
  OptionalInt slotOf(PrimExpr expr) {
    Integer slot = slots.get(expr);
    return slot == null ? OptionalInt.empty() : OptionalInt.of(slot);
  }

  /** The expression of a slot. */
  PrimExpr exprOf(int slot) {
    return exprs.get(slot);
  }

  boolean isFilled(int slot) {
    return state.filled()[slot];
  }

  /**
   * The slot of an expression, which is filled.
   *
   * @throws InvalidProgramException when it is not: a variable of it is not known here
   */
  int requireFilled(PrimExpr expr) {
    OptionalInt slot = slotOf(expr);
    if (slot.isPresent() && isFilled(slot.getAsInt())) {
      return slot.getAsInt();
    }
    List<String> unknown =
        Symbols.usedBy(expr).stream()
            .filter(var -> !slots.containsKey(var) || !isFilled(slots.get(var)))
            .map(Var::name)
            .toList();
    throw new InvalidProgramException(
        ErrorKind.VALUE,
        "the extent "
            + PrimText.print(expr)
            + " cannot be computed here, for nothing says what "
            + String.join(" and ", unknown)
            + " is; expected each variable to stand alone as an extent of a parameter, or of a"
            + " match_cast before");
  }

  /** Says that a variable is filled from a value. */
  void fill(int slot) {
    state.filled()[slot] = true;
    ready.add(slot);
  }

  /**
   * The slots of the expressions that became computable since the last time, which count as filled
   * from now on.
   */
  List<Integer> takeComputable() {
    while (!ready.isEmpty()) {
      PrimExpr var = exprs.get(ready.remove());
      for (int i = 0; i < exprs.size(); i++) {
        if (!isVar(i) && Symbols.usedBy(exprs.get(i)).stream().anyMatch(var::equals)) {
          state.missing()[i]--;
        }
      }
    }
    List<Integer> computable = new ArrayList<>();
    for (int i = 0; i < exprs.size(); i++) {
      if (!isVar(i) && !isFilled(i) && state.missing()[i] == 0) {
        computable.add(i);
      }
    }
    computable.forEach(slot -> state.filled()[slot] = true);
    return computable;
  }

  /** What is filled now, to come back to after a branch. */
  State state() {
    return state.copy();
  }

  /** Comes back to what was filled. */
  void restore(State earlier) {
    state = earlier.copy();
  }

  /** The slots of single variables. */
  Map<Var, Integer> vars() {
    Map<Var, Integer> vars = new LinkedHashMap<>();
    slots.forEach(
        (expr, slot) -> {
          if (expr instanceof Var var) {
            vars.put(var, slot);
          }
        });
    return vars;
  }
}
