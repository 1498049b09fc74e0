package org.relaxvm.compiler.pass.recognize;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.index.Searches;
import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Scores of attention: {@code scale * q @ k^T} and what is added. A mask applied by {@code where}
 * adds 0 or what it fills in. Casts of floats on the way are left out.
 *
 * <p>Rationale: docs/rationale/compiler.md, "Why are masks of attention recognised only with large
 * numbers?"
 *
 * @param keys transposed
 */
record Scores(Expr queries, Expr keys, double scale, DType dtype, Optional<Bias> bias) {
  /**
   * What {@code where} fills in at most. The sum of such a number and a score is the number, so
   * rows that are hidden wholly are as they were.
   */
  private static final double LARGEST_FILL = -1e30;

  private static final int LIMIT = 6;

  /**
   * What is added to scores.
   *
   * @param dims the extents of the value, which may have no type yet
   */
  record Bias(Expr value, List<PrimExpr> dims) {}

  /** A value as scores of some axes; empty where it is none. */
  static Optional<Scores> of(Expr value, int ndim, Composites composites) {
    return new Reader(ndim, composites).scores(value, LIMIT);
  }

  private Scores withBias(Bias now) {
    return new Scores(queries, keys, scale, dtype, Optional.of(now));
  }

  private record Reader(int ndim, Composites composites) {
    Optional<Scores> scores(Expr value, int limit) {
      Expr plain = composites.uncast(value);
      Optional<Call> sum = composites.call(plain, Arithmetic.ADD);
      if (limit > 0 && sum.isPresent()) {
        Expr a = sum.get().args().get(0);
        Expr b = sum.get().args().get(1);
        return sum(a, b, limit - 1).or(() -> sum(b, a, limit - 1));
      }
      Optional<Call> choice = composites.call(plain, Searches.WHERE);
      if (limit > 0 && choice.isPresent()) {
        List<Expr> args = choice.get().args();
        return chosen(args.get(0), args.get(1), args.get(2), true, limit - 1)
            .or(() -> chosen(args.get(0), args.get(2), args.get(1), false, limit - 1));
      }
      return product(plain);
    }

    private Optional<Scores> sum(Expr value, Expr bias, int limit) {
      Expr plain = composites.uncast(bias);
      Optional<List<PrimExpr>> dims = Composites.dims(plain);
      return dims.isEmpty()
          ? Optional.empty()
          : scores(value, limit)
              .filter(s -> Composites.dtype(plain).filter(s.dtype::equals).isPresent())
              .flatMap(s -> plus(s, new Bias(plain, dims.get())));
    }

    private Optional<Scores> plus(Scores scores, Bias bias) {
      if (scores.bias.isEmpty()) {
        return Optional.of(scores.withBias(bias));
      }
      Bias before = scores.bias.get();
      return composites
          .broadcast(before.dims, bias.dims)
          .map(dims -> scores.withBias(new Bias(Arithmetic.add(before.value, bias.value), dims)));
    }

    /**
     * @param whenTrue whether the scores count where the condition is true
     */
    private Optional<Scores> chosen(
        Expr condition, Expr value, Expr fill, boolean whenTrue, int limit) {
      OptionalDouble number = composites.number(fill, ndim);
      Optional<List<PrimExpr>> dims = Composites.dims(condition);
      if (number.isEmpty() || !(number.getAsDouble() <= LARGEST_FILL) || dims.isEmpty()) {
        return Optional.empty();
      }
      return scores(value, limit)
          .filter(s -> Composites.dtype(fill).filter(s.dtype::equals).isPresent())
          .flatMap(
              s -> {
                Expr hidden = Composites.scalar(s.dtype, number.getAsDouble());
                Bias shown =
                    s.bias.orElseGet(() -> new Bias(Composites.scalar(s.dtype, 0), List.of()));
                Expr bias =
                    whenTrue
                        ? Searches.where(condition, shown.value, hidden)
                        : Searches.where(condition, hidden, shown.value);
                return composites
                    .broadcast(dims.get(), shown.dims)
                    .map(all -> s.withBias(new Bias(bias, all)));
              });
    }

    private Optional<Scores> product(Expr value) {
      Factors factors = Factors.of(value, ndim, composites);
      Optional<Call> product =
          factors
              .single()
              .map(composites::uncast)
              .filter(s -> Composites.ndim(s) == ndim)
              .flatMap(s -> composites.call(s, Linear.MATMUL));
      if (product.isEmpty()) {
        return Optional.empty();
      }
      Factors q = Factors.of(product.get().args().get(0), ndim, composites);
      Factors k = Factors.of(product.get().args().get(1), ndim, composites);
      double scale = factors.number() * q.number() * k.number();
      return q.single().isEmpty() || k.single().isEmpty()
          ? Optional.empty()
          : Composites.dtype(product.get())
              .map(
                  dtype ->
                      new Scores(
                          q.single().get(), k.single().get(), scale, dtype, Optional.empty()));
    }
  }
}
