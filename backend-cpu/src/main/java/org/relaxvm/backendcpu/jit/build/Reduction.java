package org.relaxvm.backendcpu.jit.build;

import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;

/** {@code element = element op term}. */
record Reduction(BinaryOp op, PrimExpr term) {
  /** What a store reduces; empty if it is no reduction. */
  static Optional<Reduction> of(Node.Store store) {
    if (!(store.value() instanceof Binary binary) || !store.checks().isEmpty()) {
      return Optional.empty();
    }
    BinaryOp op = binary.op();
    PrimExpr a = binary.a();
    PrimExpr b = binary.b();
    boolean isKnown =
        switch (op) {
          case ADD, MUL, MIN, MAX, AND, OR -> true;
          default -> false;
        };
    if (isKnown && isElement(a, store)) {
      return Optional.of(new Reduction(op, b));
    }
    return isKnown && isElement(b, store) ? Optional.of(new Reduction(op, a)) : Optional.empty();
  }

  private static boolean isElement(PrimExpr expr, Node.Store store) {
    return expr instanceof BufferLoad load
        && load.buffer().equals(store.buffer())
        && load.indices().getFirst().equals(store.index());
  }

  /** The value that does not change what it is combined with. */
  PrimExpr identity(DType dtype) {
    return switch (op) {
      case ADD -> Exprs.constant(dtype, 0);
      case MUL -> Exprs.constant(dtype, 1);
      case MIN -> Reducer.highest(dtype);
      case MAX -> Reducer.lowest(dtype);
      case AND -> IntImm.of(true);
      case OR -> IntImm.of(false);
      default -> throw new IllegalStateException("no reduction: " + op);
    };
  }
}
