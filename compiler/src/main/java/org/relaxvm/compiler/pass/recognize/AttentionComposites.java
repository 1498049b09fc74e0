package org.relaxvm.compiler.pass.recognize;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.compiler.op.nn.Attention;
import org.relaxvm.compiler.op.nn.AxisActivations;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.compiler.op.shape.UnitAxes;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Attention: {@code softmax(scale * q @ k^T + mask) @ v} of four axes, with heads before the
 * sequence. Transposes of operands and results are composed, so that most of them disappear.
 */
final class AttentionComposites {
  private static final int NDIM = 4;

  /** Exchanges heads and sequence. */
  private static final List<Integer> EXCHANGE = List.of(0, 2, 1, 3);

  private final Composites composites;

  AttentionComposites(Composites composites) {
    this.composites = composites;
  }

  /** The attention that a matmul is. */
  Optional<Expr> match(Call matmul) {
    return composites
        .call(matmul.args().get(0), AxisActivations.SOFTMAX)
        .filter(softmax -> Composites.ndim(matmul.args().get(0)) == NDIM && isLastAxis(softmax))
        .filter(softmax -> Composites.ndim(matmul.args().get(1)) == NDIM)
        .flatMap(softmax -> masked(softmax.args().getFirst(), matmul.args().get(1)));
  }

  private static boolean isLastAxis(Call softmax) {
    long axis = softmax.attrs().integer("axis").orElse(-1L);
    return axis == -1 || axis == NDIM - 1;
  }

  private Optional<Expr> masked(Expr scores, Expr v) {
    Optional<Call> sum = composites.call(scores, Arithmetic.ADD);
    if (sum.isEmpty()) {
      return attention(scores, v, Optional.empty());
    }
    Expr a = sum.get().args().get(0);
    Expr b = sum.get().args().get(1);
    return attention(a, v, Optional.of(b)).or(() -> attention(b, v, Optional.of(a)));
  }

  private Optional<Expr> attention(Expr scores, Expr v, Optional<Expr> mask) {
    Factors factors = Factors.of(scores, NDIM, composites);
    Optional<Call> product =
        factors
            .single()
            .filter(s -> Composites.ndim(s) == NDIM)
            .flatMap(s -> composites.call(s, Linear.MATMUL));
    if (product.isEmpty()) {
      return Optional.empty();
    }
    Factors q = Factors.of(product.get().args().get(0), NDIM, composites);
    Factors k = Factors.of(product.get().args().get(1), NDIM, composites);
    if (q.single().isEmpty() || k.single().isEmpty()) {
      return Optional.empty();
    }
    double scale = factors.number() * q.number() * k.number();
    return attention(q.single().get(), k.single().get(), v, mask, scale);
  }

  private Optional<Expr> attention(
      Expr q, Expr transposedK, Expr v, Optional<Expr> mask, double scale) {
    if (!haveSameBatchesAndHeads(q, transposedK, v)) {
      return Optional.empty();
    }
    Optional<Optional<Expr>> bias = mask.isEmpty() ? Optional.of(mask) : bias(mask.get(), q, v);
    if (bias.isEmpty()) {
      return Optional.empty();
    }
    List<Expr> operands = new ArrayList<>();
    operands.add(permuted(q, EXCHANGE));
    operands.add(permuted(transposedK, List.of(0, 3, 1, 2)));
    operands.add(permuted(v, EXCHANGE));
    bias.get().ifPresent(operands::add);
    Expr result = Attention.attention(operands, Attrs.of("scale", scale));
    return Optional.of(permuted(result, EXCHANGE));
  }

  /** Matrix products broadcast batches and heads; attention does not. */
  private boolean haveSameBatchesAndHeads(Expr q, Expr k, Expr v) {
    Optional<List<PrimExpr>> a = Composites.dims(q);
    Optional<List<PrimExpr>> b = Composites.dims(k);
    Optional<List<PrimExpr>> c = Composites.dims(v);
    return a.isPresent()
        && b.isPresent()
        && c.isPresent()
        && a.get().size() == NDIM
        && b.get().size() == NDIM
        && composites.isEqual(a.get().subList(0, 2), b.get().subList(0, 2))
        && composites.isEqual(a.get().subList(0, 2), c.get().subList(0, 2))
        && composites.isEqual(b.get().get(3), c.get().get(2));
  }

  /** A mask with four axes, each of extent 1 or that of the scores; empty when it has others. */
  private Optional<Optional<Expr>> bias(Expr mask, Expr q, Expr v) {
    Optional<List<PrimExpr>> own = Composites.dims(mask);
    Optional<List<PrimExpr>> rows = Composites.dims(q);
    Optional<List<PrimExpr>> keys = Composites.dims(v);
    if (own.isEmpty() || rows.isEmpty() || keys.isEmpty() || own.get().size() > NDIM) {
      return Optional.empty();
    }
    List<PrimExpr> scores =
        List.of(rows.get().get(0), rows.get().get(1), rows.get().get(2), keys.get().get(2));
    int missing = NDIM - own.get().size();
    for (int axis = 0; axis < own.get().size(); axis++) {
      PrimExpr extent = own.get().get(axis);
      boolean isOne = extent instanceof IntImm number && number.value() == 1;
      if (!isOne && !composites.isEqual(extent, scores.get(axis + missing))) {
        return Optional.empty();
      }
    }
    Integer[] added = IntStream.range(0, missing).boxed().toArray(Integer[]::new);
    return Optional.of(Optional.of(missing == 0 ? mask : UnitAxes.expandDims(mask, added)));
  }

  // ---------------------------------------------------------------- transposes

  /** A transpose composed with those that made its operand; the operand itself for none. */
  Expr permuted(Expr value, List<Integer> axes) {
    Optional<Call> inner = composites.call(value, Orders.PERMUTE_DIMS);
    Optional<List<Integer>> before = inner.flatMap(call -> axes(call, axes.size()));
    if (before.isPresent()) {
      List<Integer> composed = axes.stream().map(axis -> before.get().get(axis)).toList();
      return permuted(inner.orElseThrow().args().getFirst(), composed);
    }
    boolean isIdentity = axes.equals(IntStream.range(0, axes.size()).boxed().toList());
    return isIdentity ? value : Orders.permuteDims(value, axes.toArray(new Integer[0]));
  }

  /** The simpler form of a transpose of a transpose. */
  Optional<Expr> matchTranspose(Call transpose) {
    int ndim = Composites.ndim(transpose);
    Optional<List<Integer>> axes = ndim < 0 ? Optional.empty() : axes(transpose, ndim);
    Expr operand = transpose.args().getFirst();
    boolean isTwice = composites.call(operand, Orders.PERMUTE_DIMS).isPresent();
    return isTwice ? axes.map(order -> permuted(operand, order)) : Optional.empty();
  }

  private static Optional<List<Integer>> axes(Call transpose, int ndim) {
    Optional<List<Long>> given = transpose.attrs().integers("axes");
    if (given.isEmpty()) {
      return Optional.of(IntStream.range(0, ndim).mapToObj(i -> ndim - 1 - i).toList());
    }
    return given.get().size() == ndim
        ? Optional.of(given.get().stream().map(a -> (int) (a < 0 ? a + ndim : a)).toList())
        : Optional.empty();
  }
}
