package org.relaxvm.tir.stmt;

import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;

/** Writes an element of a buffer. */
public record BufferStore(Buffer buffer, PrimExpr value, List<PrimExpr> indices) implements Stmt {
  /** Checks dtype and indices. */
  public BufferStore {
    indices = buffer.checkIndices(indices);
    if (!value.dtype().equals(buffer.dtype())) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "the buffer "
              + buffer
              + " holds "
              + buffer.dtype()
              + ", but the value to store is "
              + value.dtype());
    }
  }
}
