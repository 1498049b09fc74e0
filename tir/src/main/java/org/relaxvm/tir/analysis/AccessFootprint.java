package org.relaxvm.tir.analysis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Stmt;

/**
 * The least and the greatest value of an index over all iterations of loops, in terms of what is
 * outside of them. Where a loop has no iterations they mean nothing.
 */
public final class AccessFootprint {
  private final Analyzer outside;
  private final Map<Var, Optional<Span>> inside = new HashMap<>();

  /** All integers from one to another. */
  public record Span(PrimExpr min, PrimExpr max) {
    /** The least span with two in it. */
    public Span union(Span other, Analyzer analyzer) {
      PrimExpr low =
          analyzer.canProve(Exprs.le(min, other.min))
              ? min
              : analyzer.canProve(Exprs.le(other.min, min)) ? other.min : Exprs.min(min, other.min);
      PrimExpr high =
          analyzer.canProve(Exprs.le(other.max, max))
              ? max
              : analyzer.canProve(Exprs.le(max, other.max)) ? other.max : Exprs.max(max, other.max);
      return new Span(low, high);
    }

    /** How many there are. */
    public PrimExpr extent(Analyzer analyzer) {
      return analyzer.simplify(Exprs.add(Exprs.sub(max, min), 1));
    }
  }

  /**
   * Nothing inside yet.
   *
   * @param outside what is known outside of the loops
   */
  public AccessFootprint(Analyzer outside) {
    this.outside = outside;
  }

  /** Goes into a loop or the scope of a variable. */
  public void enter(Stmt stmt) {
    if (stmt instanceof For loop) {
      Optional<Span> range = of(new Range(loop.min(), loop.extent()));
      inside.put(loop.loopVar(), range);
    } else if (stmt instanceof Let let) {
      inside.put(let.var(), of(let.value()));
    }
  }

  /** What integers in a range there are; nothing when that is not known. */
  public Optional<Span> of(Range range) {
    Optional<Span> first = of(range.min());
    Optional<Span> last = of(Exprs.sub(Exprs.add(range.min(), range.extent()), 1));
    return first.isEmpty() || last.isEmpty()
        ? Optional.empty()
        : Optional.of(new Span(first.get().min(), last.get().max()));
  }

  /** The values of an expression; nothing when they are not known. */
  public Optional<Span> of(PrimExpr expr) {
    return search(outside.simplify(expr))
        .map(span -> new Span(outside.simplify(span.min()), outside.simplify(span.max())))
        .filter(span -> hasResult(span.min()) && hasResult(span.max()));
  }

  private Optional<Span> search(PrimExpr expr) {
    if (!isInside(expr)) {
      return Optional.of(new Span(expr, expr));
    }
    return switch (expr) {
      case Var var -> inside.getOrDefault(var, Optional.empty());
      case Binary binary -> search(binary);
      default -> Optional.empty();
    };
  }

  private Optional<Span> search(Binary binary) {
    Optional<Span> first = search(binary.a());
    Optional<Span> second = search(binary.b());
    if (first.isEmpty() || second.isEmpty()) {
      return Optional.empty();
    }
    Span a = first.get();
    Span b = second.get();
    BinaryOp op = binary.op();
    return switch (op) {
      case ADD, MIN, MAX ->
          Optional.of(
              new Span(Exprs.binary(op, a.min(), b.min()), Exprs.binary(op, a.max(), b.max())));
      case SUB -> Optional.of(new Span(Exprs.sub(a.min(), b.max()), Exprs.sub(a.max(), b.min())));
      case MUL ->
          !isInside(binary.b())
              ? scaled(op, a, binary.b())
              : isInside(binary.a()) ? Optional.empty() : scaled(op, b, binary.a());
      case FLOOR_DIV -> isInside(binary.b()) ? Optional.empty() : scaled(op, a, binary.b());
      case FLOOR_MOD -> remainder(a, binary.b());
      default -> Optional.empty();
    };
  }

  private Optional<Span> scaled(BinaryOp op, Span span, PrimExpr factor) {
    PrimExpr min = Exprs.binary(op, span.min(), factor);
    PrimExpr max = Exprs.binary(op, span.max(), factor);
    if (outside.canProve(Exprs.lt(IntImm.of(0), factor))) {
      return Optional.of(new Span(min, max));
    }
    return outside.canProve(Exprs.lt(factor, IntImm.of(0)))
        ? Optional.of(new Span(max, min))
        : Optional.empty();
  }

  private Optional<Span> remainder(Span span, PrimExpr divisor) {
    if (isInside(divisor) || !outside.canProve(Exprs.lt(IntImm.of(0), divisor))) {
      return Optional.empty();
    }
    boolean same =
        outside.canProve(Exprs.le(IntImm.of(0), span.min()))
            && outside.canProve(Exprs.lt(span.max(), divisor));
    return Optional.of(same ? span : new Span(IntImm.of(0), Exprs.sub(divisor, 1)));
  }

  private boolean isInside(PrimExpr expr) {
    return expr instanceof BufferLoad
        || (expr instanceof Var var && inside.containsKey(var))
        || expr.operands().stream().anyMatch(this::isInside);
  }

  /**
   * Whether no division by 0 can be in it: where a loop has no iterations it is evaluated all the
   * same.
   */
  private boolean hasResult(PrimExpr expr) {
    if (expr instanceof Binary binary) {
      switch (binary.op()) {
        case DIV, MOD, FLOOR_DIV, FLOOR_MOD -> {
          PrimExpr zero = new IntImm(binary.b().dtype(), 0);
          if (!outside.canProve(Exprs.lt(zero, binary.b()))
              && !outside.canProve(Exprs.lt(binary.b(), zero))) {
            return false;
          }
        }
        default -> {}
      }
    }
    return expr.operands().stream().allMatch(this::hasResult);
  }

  /** What is known within loops around a statement of a kernel: those are not empty there. */
  public static Analyzer known(PrimFunc function, List<Stmt> path) {
    Analyzer analyzer = new Analyzer();
    for (Buffer buffer : function.buffers()) {
      for (PrimExpr extent : buffer.shape()) {
        if (extent instanceof Var var) {
          analyzer.markNonNegative(var);
        }
      }
    }
    for (Stmt stmt : path) {
      if (stmt instanceof For loop) {
        analyzer.bind(loop.loopVar(), new Range(loop.min(), loop.extent()));
      }
    }
    return analyzer;
  }
}
