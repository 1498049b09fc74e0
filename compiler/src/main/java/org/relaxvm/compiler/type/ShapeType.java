package org.relaxvm.compiler.type;

import java.util.List;
import java.util.Optional;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * A shape as a value.
 *
 * @param dims the extents, int64; empty when they are not known. A known shape without axes is an
 *     empty list in the optional
 * @param ndim the number of axes; {@link #UNKNOWN} when it is not known
 */
public record ShapeType(Optional<List<PrimExpr>> dims, int ndim) implements Type {
  /** The number of axes of shapes of which it is not known. */
  public static final int UNKNOWN = -1;

  /** Checks the number of axes. */
  public ShapeType {
    dims = dims.map(Dims::checked);
    if (ndim < UNKNOWN || (dims.isPresent() && dims.get().size() != ndim)) {
      throw Dims.wrongRank("a shape", ndim, dims);
    }
  }

  /** A shape of known extents. */
  public static ShapeType of(List<? extends PrimExpr> dims) {
    return new ShapeType(Optional.of(List.copyOf(dims)), dims.size());
  }

  /** A shape of which the number of axes is known. */
  public static ShapeType ofRank(int ndim) {
    return new ShapeType(Optional.empty(), ndim);
  }

  /** Any shape. */
  public static ShapeType unknown() {
    return ofRank(UNKNOWN);
  }

  @Override
  public String toString() {
    return TypeText.print(this);
  }
}
