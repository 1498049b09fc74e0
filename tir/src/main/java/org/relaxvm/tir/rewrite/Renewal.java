package org.relaxvm.tir.rewrite;

import java.util.IdentityHashMap;
import java.util.Map;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Copies a kernel with variables and buffers of its own, so that both can be changed and put
 * together.
 */
public final class Renewal extends IrMutator {
  private final Map<Var, Var> vars = new IdentityHashMap<>();

  private Renewal() {}

  /**
   * A kernel that is equal to this one up to identity, and shares no variable or buffer with it.
   */
  public static PrimFunc of(PrimFunc function) {
    return new Renewal().rewrite(function);
  }

  @Override
  public PrimExpr rewrite(PrimExpr expr) {
    return switch (expr) {
      case Var var -> fresh(var);
      case BufferLoad load -> super.rewrite(load);
      // Not folded: the copy of x * 1 is not x.
      default -> expr.withOperands(rewriteAll(expr.operands(), this::rewrite));
    };
  }

  @Override
  public Var rewriteDefinition(Var var) {
    return fresh(var);
  }

  @Override
  protected Buffer rewriteBuffer(Buffer buffer) {
    return new Buffer(
        buffer.name(),
        buffer.dtype(),
        rewriteAll(buffer.shape(), this::rewrite),
        rewriteAll(buffer.strides(), this::rewrite),
        rewrite(buffer.elemOffset()),
        buffer.scope());
  }

  private Var fresh(Var var) {
    return vars.computeIfAbsent(var, old -> new Var(old.name(), old.dtype()));
  }
}
