package org.relaxvm.backendcpu.codegen.emit;

import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;

/** Stores that put one more value to what an element is. */
final class Reductions {
  /** {@code element = element op term}. */
  record Update(BinaryOp op, PrimExpr term) {
    /** What a value is put to without changing it. */
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

    /** The vector operation that gives one value for all lanes. */
    String reduceName(DType dtype) {
      boolean unsigned = !dtype.isFloat() && DTypes.isUnsigned(dtype);
      return switch (op) {
        case ADD -> "reduceAdd";
        case MUL -> "reduceMul";
        case MIN -> unsigned && !dtype.equals(DType.BOOL) ? "reduceMinUnsigned" : "reduceMin";
        case MAX -> unsigned && !dtype.equals(DType.BOOL) ? "reduceMaxUnsigned" : "reduceMax";
        case AND -> "reduceAnd";
        case OR -> "reduceOr";
        default -> throw new IllegalStateException("no reduction: " + op);
      };
    }
  }

  private Reductions() {}

  static Optional<Update> of(Node.Store store) {
    if (!(store.value() instanceof Binary binary)) {
      return Optional.empty();
    }
    BinaryOp op = binary.op();
    PrimExpr a = binary.a();
    PrimExpr b = binary.b();
    boolean known =
        switch (op) {
          case ADD, MUL, MIN, MAX, AND, OR -> true;
          default -> false;
        };
    if (!known || !store.checks().isEmpty()) {
      return Optional.empty();
    }
    if (isElement(a, store)) {
      return Optional.of(new Update(op, b));
    }
    return isElement(b, store) ? Optional.of(new Update(op, a)) : Optional.empty();
  }

  private static boolean isElement(PrimExpr expr, Node.Store store) {
    return expr instanceof BufferLoad load
        && load.buffer().equals(store.buffer())
        && load.indices().getFirst().equals(store.index());
  }
}
