package org.relaxvm.compiler.pass.recognize;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.op.elementwise.Comparisons;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.compiler.op.index.Searches;
import org.relaxvm.compiler.op.nn.Attention;
import org.relaxvm.compiler.op.nn.AxisActivations;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.compiler.op.shape.UnitAxes;
import org.relaxvm.compiler.pass.recognize.Scores.Bias;
import org.relaxvm.compiler.pass.recognize.SharedHeads.Shared;
import org.relaxvm.compiler.pass.recognize.Transposes.Permuted;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Attention: {@code softmax(scale * q @ k^T + masks) @ v} of four axes, with heads before the
 * sequence, or of three without heads.
 */
final class AttentionComposites {
  private static final int NDIM = 4;

  private final Composites composites;
  private final Transposes transposes;
  private final SharedHeads shared;

  AttentionComposites(Composites composites, Transposes transposes) {
    this.composites = composites;
    this.transposes = transposes;
    this.shared = new SharedHeads(composites);
  }

  /**
   * Weights of values.
   *
   * @param isGuarded whether rows that are NaN, because all their scores are -inf, became 0
   */
  private record Weights(Call softmax, boolean isGuarded) {}

  /** The attention that a matmul is. */
  Optional<Expr> match(Call matmul) {
    int ndim = Composites.ndim(matmul.args().get(0));
    Expr v = matmul.args().get(1);
    boolean hasAxes = (ndim == NDIM || ndim == NDIM - 1) && Composites.ndim(v) == ndim;
    // Weights with another use are computed anyway.
    if (!hasAxes || !composites.isUsedOnce(matmul.args().get(0))) {
      return Optional.empty();
    }
    Optional<Weights> weights =
        weights(matmul.args().get(0)).filter(found -> isLastAxis(found.softmax(), ndim));
    Optional<DType> dtype = Composites.dtype(v);
    return weights
        .flatMap(found -> Scores.of(found.softmax().args().getFirst(), ndim, composites))
        .filter(scores -> dtype.equals(Optional.of(scores.dtype())))
        .filter(scores -> dtype.equals(Composites.dtype(scores.queries())))
        .filter(scores -> dtype.equals(Composites.dtype(scores.keys())))
        .filter(scores -> dtype.equals(Composites.dtype(matmul)))
        .filter(scores -> fits(scores, v, ndim))
        .filter(scores -> !weights.get().isGuarded() || scores.bias().isPresent())
        .map(scores -> attention(scores, v, ndim, weights.get().isGuarded()));
  }

  private static boolean isLastAxis(Call softmax, int ndim) {
    long axis = softmax.attrs().integer("axis").orElse(-1L);
    return axis == -1 || axis == ndim - 1;
  }

  /** The softmax of weights, which may be cast, and {@code where(isnan(p), 0, p)}. */
  private Optional<Weights> weights(Expr value) {
    Expr plain = composites.uncast(value);
    Optional<Call> choice = composites.call(plain, Searches.WHERE);
    if (choice.isEmpty()) {
      return composites.call(plain, AxisActivations.SOFTMAX).map(s -> new Weights(s, false));
    }
    Expr kept = composites.uncast(choice.get().args().get(2));
    boolean isGuard =
        composites
                .call(choice.get().args().get(0), Functions.ISNAN)
                .filter(test -> composites.isSame(composites.uncast(test.args().getFirst()), kept))
                .isPresent()
            && composites.isNumber(choice.get().args().get(1), Composites.ndim(value), 0);
    return isGuard
        ? composites.call(kept, AxisActivations.SOFTMAX).map(s -> new Weights(s, true))
        : Optional.empty();
  }

  // ---------------------------------------------------------------- extents

  /** Matmuls broadcast batches; attention does not. */
  private boolean fits(Scores scores, Expr v, int ndim) {
    Optional<List<PrimExpr>> q = Composites.dims(scores.queries());
    Optional<List<PrimExpr>> k = Composites.dims(scores.keys());
    Optional<List<PrimExpr>> values = Composites.dims(v);
    if (q.isEmpty() || k.isEmpty() || values.isEmpty()) {
      return false;
    }
    boolean haveAxes = q.get().size() == ndim && k.get().size() == ndim;
    return haveAxes
        && composites.isEqual(q.get().get(0), k.get().get(0))
        && composites.isEqual(k.get().subList(0, ndim - 2), values.get().subList(0, ndim - 2))
        && (ndim < NDIM
            || composites.isEqual(q.get().get(1), k.get().get(1))
            || k.get().get(1).equals(IntImm.of(1)))
        && composites.isEqual(k.get().get(ndim - 1), values.get().get(ndim - 2))
        && scores
            .bias()
            .filter(bias -> !fits(bias.dims(), q.get(), values.get().get(ndim - 2)))
            .isEmpty();
  }

  /** Whether each extent of a bias is 1 or that of the scores. */
  private boolean fits(List<PrimExpr> bias, List<PrimExpr> q, PrimExpr keys) {
    int missing = q.size() - bias.size();
    for (int axis = 0; axis < bias.size(); axis++) {
      if (missing < 0) {
        return false;
      }
      PrimExpr wanted = axis + missing == q.size() - 1 ? keys : q.get(axis + missing);
      if (!bias.get(axis).equals(IntImm.of(1)) && !composites.isEqual(bias.get(axis), wanted)) {
        return false;
      }
    }
    return true;
  }

  // ---------------------------------------------------------------- the operator

  private Expr attention(Scores scores, Expr v, int ndim, boolean isGuarded) {
    boolean isOfHeads = ndim == NDIM;
    List<Integer> exchange = isOfHeads ? List.of(0, 2, 1, 3) : List.of(0, 1, 2);
    Permuted q = transposes.permuted(scores.queries(), exchange);
    Permuted k =
        transposes.permuted(scores.keys(), isOfHeads ? List.of(0, 3, 1, 2) : List.of(0, 2, 1));
    Permuted values = transposes.permuted(v, exchange);
    if (isOfHeads) {
      Optional<Shared> keyHeads = shared.of(k, 2);
      Optional<Shared> valueHeads = shared.of(values, 2);
      if (keyHeads.isPresent()
          && valueHeads.isPresent()
          && keyHeads.get().count() == valueHeads.get().count()) {
        k = keyHeads.get().in(transposes);
        values = valueHeads.get().in(transposes);
      }
    }
    List<Expr> operands = new ArrayList<>();
    for (Permuted operand : List.of(q, k, values)) {
      operands.add(isOfHeads ? operand.expr() : UnitAxes.expandDims(operand.expr(), 2));
    }
    Optional<Expr> bias = scores.bias().map(all -> ofFourAxes(all, ndim));
    bias.ifPresent(operands::add);
    Expr result = Attention.attention(operands, Attrs.of("scale", scores.scale()));
    if (isGuarded) {
      result = shown(result, bias.orElseThrow(), scores.dtype());
    }
    return isOfHeads ? transposes.permuted(result, exchange).expr() : UnitAxes.squeeze(result, 2);
  }

  private static Expr ofFourAxes(Bias bias, int ndim) {
    List<Integer> added =
        new ArrayList<>(IntStream.range(0, ndim - bias.dims().size()).boxed().toList());
    if (ndim < NDIM) {
      added.add(added.isEmpty() ? 1 : added.size());
    }
    return added.isEmpty()
        ? bias.value()
        : UnitAxes.expandDims(bias.value(), added.toArray(new Integer[0]));
  }

  /** The result with 0 for queries from which a bias hides all keys. */
  private static Expr shown(Expr result, Expr bias, DType dtype) {
    Expr largest = Reductions.max(bias, List.of(NDIM - 1), true);
    Expr hidden =
        Comparisons.equal(largest, new PrimValue(new FloatImm(dtype, Double.NEGATIVE_INFINITY)));
    Expr byPosition = new Permuted(hidden, List.of(0, 2, 1, 3)).expr();
    return Searches.where(byPosition, Composites.scalar(dtype, 0), result);
  }
}
