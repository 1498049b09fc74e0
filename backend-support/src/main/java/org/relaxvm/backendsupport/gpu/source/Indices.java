package org.relaxvm.backendsupport.gpu.source;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Which integers of a launch are index arithmetic: made of counters, extents and constants only, so
 * that their range is known when the extents are. All else that is int64 is data.
 */
final class Indices {
  private final Set<Var> data = new HashSet<>();

  /** The variables of a launch that hold data. */
  static Indices of(Stmt launch) {
    Indices indices = new Indices();
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        if (stmt instanceof Let let && !indices.isIndex(let.value())) {
          indices.data.add(let.var());
        }
        super.visit(stmt);
      }
    }.visit(launch);
    return indices;
  }

  /** Whether an expression is int64 and made of counters, extents and constants. */
  boolean isIndex(PrimExpr expr) {
    return expr.dtype().equals(DType.INT64) && isPlain(expr);
  }

  private boolean isPlain(PrimExpr expr) {
    return switch (expr) {
      case IntImm constant -> true;
      case Var var -> var.dtype().equals(DType.INT64) && !data.contains(var);
      case Binary binary -> isPlain(binary.a()) && isPlain(binary.b());
      case Select select -> select.operands().stream().allMatch(this::isPlain);
      case Not not -> not.operands().stream().allMatch(this::isPlain);
      case Call call ->
          call.op() == Intrinsic.IF_THEN_ELSE && call.args().stream().allMatch(this::isPlain);
      case Cast cast -> false;
      case BufferLoad load -> false;
      case FloatImm constant -> false;
    };
  }

  /**
   * Whether all index arithmetic of a launch fits 32 bits with a sign.
   *
   * @param extents the values of the symbolic extents and integer parameters
   */
  boolean fitInt(Stmt launch, Map<Var, Long> extents) {
    Map<Var, Span> spans = new HashMap<>();
    extents.forEach((var, value) -> spans.put(var, new Span(value, value)));
    boolean[] fits = {spans.values().stream().allMatch(Span::fitsInt)};
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        switch (stmt) {
          case For loop when loop.loopVar().dtype().equals(DType.INT64) -> {
            Span first = span(loop.min(), spans);
            Span turns = span(loop.extent(), spans);
            spans.put(
                loop.loopVar(),
                new Span(first.min(), Math.max(first.min(), first.max() + turns.max() - 1)));
            fits[0] &= new Span(first.min(), first.max() + turns.max()).fitsInt();
          }
          case Let let when isIndex(let.value()) -> spans.put(let.var(), span(let.value(), spans));
          default -> {}
        }
        super.visit(stmt);
      }

      @Override
      public void visit(PrimExpr expr) {
        if (isIndex(expr)) {
          fits[0] &= span(expr, spans).fitsInt();
        }
        super.visit(expr);
      }
    }.visit(launch);
    return fits[0];
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
