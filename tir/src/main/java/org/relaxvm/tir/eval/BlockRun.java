package org.relaxvm.tir.eval;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.IntegerMath;
import org.relaxvm.tir.scalar.Scalars;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;

/** Runs a block at one point. */
final class BlockRun {
  private final Scope scope;
  private final Expressions expressions;
  private final Statements statements;

  BlockRun(Scope scope, Expressions expressions, Statements statements) {
    this.scope = scope;
    this.expressions = expressions;
    this.statements = statements;
  }

  /** Whether the function has ended. */
  boolean run(BlockRealize realize) {
    if (!expressions.isTrue(realize.predicate())) {
      return false;
    }
    Block block = realize.block();
    List<IterVar> axes = block.iterVars();
    long[] point = expressions.values(realize.iterValues());
    boolean atStart = true;
    for (int i = 0; i < point.length; i++) {
      boolean first = requireInDomain(block, axes.get(i), point[i]);
      atStart &= first || axes.get(i).kind() != IterKind.REDUCE;
    }
    scope.enterBlock(block.name());
    for (int i = 0; i < point.length; i++) {
      scope.enter(axes.get(i).var(), point[i]);
    }
    boolean ended = runInside(block, atStart);
    // After an error the scope stays as it is, for the message.
    for (int i = 0; i < point.length + 1; i++) {
      scope.leave();
    }
    return ended;
  }

  private boolean runInside(Block block, boolean atStart) {
    List<BoundBuffer> allocated = new ArrayList<>();
    try {
      for (Buffer buffer : block.allocBuffers()) {
        BoundBuffer bound = Allocation.of(buffer, expressions);
        allocated.add(bound);
        scope.define(bound);
      }
      boolean ended = atStart && block.init().isPresent() && statements.run(block.init().get());
      return ended || statements.run(block.body());
    } finally {
      for (BoundBuffer bound : allocated) {
        scope.forget(bound);
        bound.tensor().close();
      }
    }
  }

  /** Whether the value is the first one of the domain. */
  private boolean requireInDomain(Block block, IterVar axis, long value) {
    DType dtype = axis.var().dtype();
    long min = expressions.value(axis.domain().min());
    long extent = expressions.value(axis.domain().extent());
    boolean any = extent > 0 || DTypes.isUnsigned(dtype);
    boolean inside =
        any
            && IntegerMath.apply(BinaryOp.GE, dtype, value, min) != 0
            && Long.compareUnsigned(value - min, extent) < 0;
    if (!inside) {
      throw new CallException(
          ErrorKind.INDEX,
          "the axis "
              + axis.var()
              + " of the block "
              + block.name()
              + " is "
              + Scalars.text(dtype, value)
              + ", outside of its domain, which starts at "
              + Scalars.text(dtype, min)
              + " and has the extent "
              + Scalars.text(dtype, extent));
    }
    return value == min;
  }
}
