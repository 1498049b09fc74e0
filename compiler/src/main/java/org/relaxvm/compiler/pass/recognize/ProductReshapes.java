package org.relaxvm.compiler.pass.recognize;

import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.compiler.op.shape.Reshapes;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * A matmul, perhaps with a bias, between two reshapes: the first joins the leading axes to rows,
 * the second restores them. The matmul of the tensor itself is the same, and what follows can join
 * its kernel.
 */
final class ProductReshapes {
  private final Composites composites;

  ProductReshapes(Composites composites) {
    this.composites = composites;
  }

  /** The product that a reshape is; what is between has no other use. */
  Optional<Expr> match(Call reshape) {
    Expr value = reshape.args().getFirst();
    Optional<Call> sum = onlyUse(value).flatMap(v -> composites.call(v, Arithmetic.ADD));
    if (sum.isEmpty()) {
      return product(value, reshape);
    }
    Expr a = sum.get().args().get(0);
    Expr b = sum.get().args().get(1);
    return biased(a, b, reshape).or(() -> biased(b, a, reshape));
  }

  private Optional<Expr> biased(Expr product, Expr bias, Call reshape) {
    int ndim = Composites.ndim(bias);
    return ndim == 0 || ndim == 1
        ? product(product, reshape).map(now -> Arithmetic.add(now, bias))
        : Optional.empty();
  }

  private Optional<Expr> product(Expr value, Call reshape) {
    Optional<Call> product = onlyUse(value).flatMap(v -> composites.call(v, Linear.MATMUL));
    if (product.isEmpty()
        || Composites.ndim(product.get().args().get(0)) != 2
        || Composites.ndim(product.get().args().get(1)) != 2) {
      return Optional.empty();
    }
    Expr weights = product.get().args().get(1);
    Optional<List<PrimExpr>> extents = Composites.dims(weights);
    Optional<List<PrimExpr>> result = Composites.dims(reshape);
    Optional<Call> rows = composites.call(product.get().args().get(0), Reshapes.RESHAPE);
    Optional<List<PrimExpr>> data = rows.flatMap(call -> Composites.dims(call.args().getFirst()));
    if (extents.isEmpty() || result.isEmpty() || data.isEmpty() || data.get().size() < 2) {
      return Optional.empty();
    }
    int last = data.get().size() - 1;
    boolean fits =
        result.get().size() == last + 1
            && composites.isEqual(result.get().subList(0, last), data.get().subList(0, last))
            && composites.isEqual(data.get().get(last), extents.get().get(0))
            && composites.isEqual(result.get().get(last), extents.get().get(1));
    return fits
        ? Optional.of(
            product.get().withArgs(List.of(rows.orElseThrow().args().getFirst(), weights)))
        : Optional.empty();
  }

  private Optional<Expr> onlyUse(Expr value) {
    return Optional.of(value).filter(composites::isUsedOnce);
  }
}
