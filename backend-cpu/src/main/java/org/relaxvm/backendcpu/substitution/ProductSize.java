package org.relaxvm.backendcpu.substitution;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.Shape;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Whether a matrix product is worth the way into the library.
 *
 * @param rightTransposed whether the last two axes of the right operand are swapped
 */
record ProductSize(boolean rightTransposed) {
  /** Products with fewer multiplications are not worth it. */
  private static final double WORTH_IT = 1L << 16;

  /**
   * Whether the product of two tensors is worth it; those that are no matrices always are: the
   * library says what is wrong with them.
   */
  boolean isWorthIt(Shape left, Shape right) {
    int axes = Math.max(left.rank(), right.rank());
    if (left.rank() < 2 || right.rank() < 2) {
      return true;
    }
    double multiplications = left.dim(left.rank() - 1);
    multiplications *= left.dim(left.rank() - 2);
    multiplications *= right.dim(right.rank() - (rightTransposed ? 2 : 1));
    for (int axis = 3; axis <= axes; axis++) {
      long a = axis > left.rank() ? 1 : left.dim(left.rank() - axis);
      long b = axis > right.rank() ? 1 : right.dim(right.rank() - axis);
      multiplications *= a == 1 ? b : a;
    }
    return multiplications >= WORTH_IT;
  }

  /** The same for shapes of which not all may be known before a call; empty when that counts. */
  Optional<Boolean> isWorthIt(List<PrimExpr> left, List<PrimExpr> right) {
    Optional<Shape> a = known(left);
    Optional<Shape> b = known(right);
    return a.isPresent() && b.isPresent()
        ? Optional.of(isWorthIt(a.get(), b.get()))
        : Optional.empty();
  }

  private static Optional<Shape> known(List<PrimExpr> shape) {
    return shape.stream().allMatch(IntImm.class::isInstance)
        ? Optional.of(
            Shape.of(shape.stream().mapToLong(extent -> ((IntImm) extent).value()).toArray()))
        : Optional.empty();
  }
}
