package org.relaxvm.backendsupport.gpu.loops;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.verify.Access;

/**
 * Puts a condition around what may lie outside of its buffer: it reads 0 and writes nothing there.
 * A GPU has no other way to refuse an index than to leave it out.
 */
public final class BoundsGuards extends IrMutator {
  private record Element(Buffer buffer, List<PrimExpr> indices, int axis, boolean writes) {}

  private final Set<Element> unproven = new HashSet<>();

  private BoundsGuards(List<Access> accesses) {
    for (Access access : accesses) {
      unproven.add(new Element(access.buffer(), access.indices(), access.axis(), access.writes()));
    }
  }

  /** A kernel in which all indices are inside. */
  public static PrimFunc in(PrimFunc function, List<Access> unproven) {
    return unproven.isEmpty() ? function : new BoundsGuards(unproven).rewrite(function);
  }

  @Override
  public PrimExpr rewrite(PrimExpr expr) {
    PrimExpr changed = super.rewrite(expr);
    if (expr instanceof BufferLoad before && changed instanceof BufferLoad load) {
      PrimExpr inside = inside(before, load.indices(), false);
      if (!inside.equals(IntImm.of(true))) {
        return Exprs.ifThenElse(inside, load, zero(load.dtype()));
      }
    }
    return changed;
  }

  @Override
  public Stmt rewrite(Stmt stmt) {
    Stmt changed = super.rewrite(stmt);
    if (stmt instanceof BufferStore before && changed instanceof BufferStore store) {
      BufferLoad element = new BufferLoad(before.buffer(), before.indices());
      PrimExpr inside = inside(element, store.indices(), true);
      if (!inside.equals(IntImm.of(true))) {
        return new IfThenElse(inside, store, Optional.empty());
      }
    }
    return changed;
  }

  private PrimExpr inside(BufferLoad before, List<PrimExpr> indices, boolean writes) {
    PrimExpr inside = IntImm.of(true);
    for (int axis = 0; axis < indices.size(); axis++) {
      if (unproven.contains(new Element(before.buffer(), before.indices(), axis, writes))) {
        PrimExpr index = indices.get(axis);
        inside = Exprs.and(inside, Exprs.le(IntImm.of(0), index));
        inside = Exprs.and(inside, Exprs.lt(index, before.buffer().shape().get(axis)));
      }
    }
    return inside;
  }

  private static PrimExpr zero(DType dtype) {
    return dtype.equals(DType.BOOL) ? IntImm.of(false) : Exprs.constant(dtype, 0);
  }
}
