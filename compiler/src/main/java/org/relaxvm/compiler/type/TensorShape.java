package org.relaxvm.compiler.type;

import java.util.List;
import java.util.Optional;
import org.relaxvm.tir.expr.PrimExpr;

/** The shape of a tensor, as far as it is known. */
public sealed interface TensorShape {
  /** The number of axes; {@link ShapeType#UNKNOWN} when it is not known. */
  int ndim();

  /** The extents; empty when they are not known. */
  Optional<List<PrimExpr>> dims();

  /**
   * Extents.
   *
   * @param values int64
   */
  record Known(List<PrimExpr> values) implements TensorShape {
    /** Checks and copies the list. */
    public Known {
      values = Dims.checked(values);
    }

    @Override
    public int ndim() {
      return values.size();
    }

    @Override
    public Optional<List<PrimExpr>> dims() {
      return Optional.of(values);
    }
  }

  /** The value of a variable. */
  record OfVar(ShapeVar var) implements TensorShape {
    @Override
    public int ndim() {
      return var.shapeType().ndim();
    }

    @Override
    public Optional<List<PrimExpr>> dims() {
      return var.shapeType().dims();
    }
  }
}
