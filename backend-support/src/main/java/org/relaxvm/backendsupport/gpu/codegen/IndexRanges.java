package org.relaxvm.backendsupport.gpu.codegen;

import java.util.HashMap;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Which values index arithmetic may take in a launch, for given extents. Only what {@link
 * Expressions} writes in the type of indices counts: a number that is computed with has 64 bits in
 * any case. For one launch; not thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-support.md, "How is 32-bit indexing chosen?"
 */
final class IndexRanges extends IrVisitor {
  private final Indices indices;
  private final Map<Var, Span> spans = new HashMap<>();
  private boolean fits;

  IndexRanges(Indices indices, Map<Var, Long> extents) {
    this.indices = indices;
    extents.forEach((var, value) -> spans.put(var, new Span(value, value)));
    fits = spans.values().stream().allMatch(Span::fitsInt);
  }

  /** Whether all of it fits 32 bits with a sign. */
  boolean fitInt(Stmt launch) {
    visit(launch);
    return fits;
  }

  @Override
  public void visit(Stmt stmt) {
    switch (stmt) {
      case For loop when loop.loopVar().dtype().equals(DType.INT64) -> {
        index(loop.min());
        index(loop.extent());
        Span first = span(loop.min(), spans);
        Span extent = span(loop.extent(), spans);
        fits &= new Span(first.min(), first.max() + extent.max()).fitsInt();
        spans.put(
            loop.loopVar(),
            new Span(first.min(), Math.max(first.min(), first.max() + extent.max() - 1)));
        visit(loop.body());
      }
      case Let let when indices.isIndex(let.value()) -> {
        index(let.value());
        spans.put(let.var(), span(let.value(), spans));
        visit(let.body());
      }
      case IfThenElse choice -> {
        visit(choice.condition());
        Map<Var, Span> before = new HashMap<>(spans);
        Exprs.conjuncts(choice.condition()).forEach(this::assume);
        visit(choice.whenTrue());
        spans.putAll(before);
        choice.whenFalse().ifPresent(this::visit);
      }
      case BufferStore store -> {
        store.indices().forEach(this::index);
        visit(store.value());
      }
      default -> super.visit(stmt);
    }
  }

  /** Takes a condition for true: that a variable is less than something. */
  private void assume(PrimExpr condition) {
    if (condition instanceof Binary(BinaryOp op, PrimExpr a, PrimExpr b)
        && op == BinaryOp.LT
        && a instanceof Var var
        && indices.isIndex(var)
        && indices.isIndex(b)) {
      Span own = span(var, spans);
      long most = Math.min(own.max(), span(b, spans).max() - 1);
      spans.put(var, new Span(Math.min(own.min(), most), most));
    }
  }

  /** An expression that is computed with. */
  @Override
  public void visit(PrimExpr expr) {
    switch (expr) {
      case BufferLoad load -> load.indices().forEach(this::index);
      case Binary binary
          when binary.op().kind() == BinaryOp.Kind.COMPARISON
              && indices.isIndex(binary.a())
              && indices.isIndex(binary.b()) -> {
        index(binary.a());
        index(binary.b());
      }
      default -> super.visit(expr);
    }
  }

  /** An expression in the type of indices. */
  private void index(PrimExpr expr) {
    if (!indices.isIndex(expr)) {
      visit(expr);
      return;
    }
    fits &= span(expr, spans).fitsInt();
    switch (expr) {
      case Binary binary -> {
        index(binary.a());
        index(binary.b());
      }
      case Select select -> {
        visit(select.condition());
        index(select.whenTrue());
        index(select.whenFalse());
      }
      case Call call -> {
        visit(call.args().get(0));
        index(call.args().get(1));
        index(call.args().get(2));
      }
      default -> {}
    }
  }

  private static Span span(PrimExpr expr, Map<Var, Span> spans) {
    return switch (expr) {
      case IntImm constant -> new Span(constant.value(), constant.value());
      case Var var -> spans.getOrDefault(var, Span.ALL);
      case Binary(BinaryOp op, PrimExpr a, PrimExpr b) ->
          Span.of(op, span(a, spans), span(b, spans));
      case Select select -> span(select.whenTrue(), spans).and(span(select.whenFalse(), spans));
      case Call call when call.op() == Intrinsic.IF_THEN_ELSE ->
          span(call.args().get(1), spans).and(span(call.args().get(2), spans));
      default -> Span.ALL;
    };
  }

  /** All values from one to another, both included. */
  private record Span(long min, long max) {
    static final Span ALL = new Span(Long.MIN_VALUE / 4, Long.MAX_VALUE / 4);

    boolean fitsInt() {
      return min > Integer.MIN_VALUE && max < Integer.MAX_VALUE;
    }

    Span and(Span other) {
      return new Span(Math.min(min, other.min), Math.max(max, other.max));
    }

    static Span of(BinaryOp op, Span a, Span b) {
      return switch (op) {
        case ADD -> limited((double) a.min + b.min, (double) a.max + b.max);
        case SUB -> limited((double) a.min - b.max, (double) a.max - b.min);
        case MUL -> {
          double w = (double) a.min * b.min;
          double x = (double) a.min * b.max;
          double y = (double) a.max * b.min;
          double z = (double) a.max * b.max;
          yield limited(
              Math.min(Math.min(w, x), Math.min(y, z)), Math.max(Math.max(w, x), Math.max(y, z)));
        }
        case FLOOR_DIV, DIV ->
            b.min > 0
                ? new Span(Math.min(a.min, a.min / b.min - 1), Math.max(0, a.max / b.min))
                : a.and(new Span(-a.max, -a.min));
        case FLOOR_MOD ->
            b.min > 0
                ? (a.min >= 0 ? new Span(0, Math.min(a.max, b.max - 1)) : new Span(0, b.max - 1))
                : a.and(b);
        case MOD -> a.and(new Span(0, 0)).and(b);
        case MIN -> new Span(Math.min(a.min, b.min), Math.min(a.max, b.max));
        case MAX -> new Span(Math.max(a.min, b.min), Math.max(a.max, b.max));
        default -> new Span(0, 1);
      };
    }

    private static Span limited(double min, double max) {
      return new Span(
          (long) Math.max(min, (double) ALL.min), (long) Math.min(max, (double) ALL.max));
    }
  }
}
