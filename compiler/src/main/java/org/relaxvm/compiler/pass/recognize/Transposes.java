package org.relaxvm.compiler.pass.recognize;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.shape.Orders;

/** Transposes composed with those that made their operands, so that most of them disappear. */
final class Transposes {
  private final Composites composites;

  Transposes(Composites composites) {
    this.composites = composites;
  }

  /**
   * A transpose of a value that is no transpose itself.
   *
   * @param axes the axis of the value for each axis of the result
   */
  record Permuted(Expr value, List<Integer> axes) {
    /** Copies the list. */
    Permuted {
      axes = List.copyOf(axes);
    }

    /** The value itself where axes keep their order. */
    Expr expr() {
      boolean isIdentity = axes.equals(IntStream.range(0, axes.size()).boxed().toList());
      return isIdentity ? value : Orders.permuteDims(value, axes.toArray(new Integer[0]));
    }
  }

  /** A transpose composed with those that made its operand. */
  Permuted permuted(Expr value, List<Integer> axes) {
    Permuted now = new Permuted(value, axes);
    while (true) {
      Optional<Call> inner = composites.call(now.value, Orders.PERMUTE_DIMS);
      Optional<List<Integer>> before = inner.flatMap(call -> axes(call, axes.size()));
      if (before.isEmpty()) {
        return now;
      }
      List<Integer> composed = now.axes.stream().map(axis -> before.get().get(axis)).toList();
      now = new Permuted(inner.orElseThrow().args().getFirst(), composed);
    }
  }

  /** The simpler form of a transpose of a transpose. */
  Optional<Expr> match(Call transpose) {
    int ndim = Composites.ndim(transpose);
    Optional<List<Integer>> axes = ndim < 0 ? Optional.empty() : axes(transpose, ndim);
    Expr operand = transpose.args().getFirst();
    boolean isTwice = composites.call(operand, Orders.PERMUTE_DIMS).isPresent();
    return isTwice ? axes.map(order -> permuted(operand, order).expr()) : Optional.empty();
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
