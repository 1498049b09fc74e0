package org.relaxvm.tir.expr;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;

/**
 * An element of a buffer.
 *
 * @param indices one int64 index per axis
 */
public record BufferLoad(Buffer buffer, List<PrimExpr> indices) implements PrimExpr {
  /** Checks the indices. */
  public BufferLoad {
    indices = buffer.checkIndices(indices);
  }

  @Override
  public DType dtype() {
    return buffer.dtype();
  }

  @Override
  public List<PrimExpr> operands() {
    return indices;
  }

  @Override
  public PrimExpr withOperands(List<PrimExpr> operands) {
    return new BufferLoad(buffer, operands);
  }

  /** Rationale: docs/rationale/api.md, "Why do some records write out equality?" */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof BufferLoad that
            && buffer.equals(that.buffer)
            && indices.equals(that.indices));
  }

  @Override
  public int hashCode() {
    return 31 * buffer.hashCode() + indices.hashCode();
  }
}
