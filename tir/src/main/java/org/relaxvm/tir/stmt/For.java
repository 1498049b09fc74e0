package org.relaxvm.tir.stmt;

import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * A loop over {@code min, min + 1, ...}: {@code extent} iterations, none when that is not positive.
 *
 * @param loopVar the counter, of the dtype of {@code min} and {@code extent}
 * @param thread of {@link ForKind#THREAD_BINDING}, and of no other kind
 */
public record For(
    Var loopVar,
    PrimExpr min,
    PrimExpr extent,
    ForKind kind,
    Optional<ThreadAxis> thread,
    Stmt body,
    Map<String, Object> annotations)
    implements Stmt {
  /** Checks dtypes and thread axis. */
  public For {
    annotations = Annotations.copyOf(annotations);
    if (!DTypes.isInteger(loopVar.dtype())) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "the loop over " + loopVar + " must count in integers, but counts in " + loopVar.dtype());
    }
    if (!min.dtype().equals(loopVar.dtype()) || !extent.dtype().equals(loopVar.dtype())) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "the loop over "
              + loopVar
              + " of dtype "
              + loopVar.dtype()
              + " needs bounds of that dtype, but got "
              + min.dtype()
              + " and "
              + extent.dtype());
    }
    if (thread.isPresent() != (kind == ForKind.THREAD_BINDING)) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the loop over "
              + loopVar
              + " of kind "
              + kind.text()
              + (thread.isPresent() ? " cannot have" : " needs")
              + " a thread axis");
    }
  }

  /** The same loop with other annotations. */
  public For withAnnotations(Map<String, Object> changed) {
    return new For(loopVar, min, extent, kind, thread, body, changed);
  }

  /** A serial loop from 0 on. */
  public static For serial(Var loopVar, PrimExpr extent, Stmt body) {
    return of(ForKind.SERIAL, loopVar, extent, body);
  }

  /** A loop from 0 on. */
  public static For of(ForKind kind, Var loopVar, PrimExpr extent, Stmt body) {
    PrimExpr min = new IntImm(loopVar.dtype(), 0);
    return new For(loopVar, min, extent, kind, Optional.empty(), body, Map.of());
  }
}
