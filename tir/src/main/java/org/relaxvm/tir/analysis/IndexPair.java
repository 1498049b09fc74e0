package org.relaxvm.tir.analysis;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.BufferStore;

/** A load and the store that it is for. The only index into an axis of extent 1 is 0. */
record IndexPair(BlockAccesses.Use use, BufferStore store, Scope scope) {

  OpPattern pattern() {
    return isElementwise()
        ? OpPattern.ELEMWISE
        : matchedAxes() >= 0
            ? OpPattern.BROADCAST
            : isInjective() ? OpPattern.INJECTIVE : OpPattern.OPAQUE;
  }

  private BufferLoad load() {
    return use.load();
  }

  private boolean isElementwise() {
    int rank = load().buffer().rank();
    if (rank != store.buffer().rank()) {
      return false;
    }
    for (int axis = 0; axis < rank; axis++) {
      boolean unit = isUnit(load().buffer(), axis) && isUnit(store.buffer(), axis);
      if (!unit && !isSame(axis, axis)) {
        return false;
      }
    }
    return true;
  }

  /** The axes of the store that the load goes along in the same order, as bits; -1 for none. */
  private long matchedAxes() {
    long matched = 0;
    int next = 0;
    for (int axis = 0; axis < load().buffer().rank(); axis++) {
      if (isUnit(load().buffer(), axis)) {
        continue;
      }
      while (next < store.buffer().rank() && !isSame(axis, next)) {
        next++;
      }
      if (next == store.buffer().rank()) {
        return -1;
      }
      matched |= 1L << next;
    }
    return matched;
  }

  /** Whether one element is for several indices, so that more is written than is read. */
  boolean isRepeated() {
    long matched = matchedAxes();
    for (int axis = 0; axis < store.buffer().rank(); axis++) {
      boolean chosen = store.indices().get(axis) instanceof Var var && use.guards().contains(var);
      if ((matched >> axis & 1) == 0 && !isUnit(store.buffer(), axis) && !chosen) {
        return true;
      }
    }
    return false;
  }

  private boolean isInjective() {
    Set<Var> indexVars = indexVars(store.indices(), scope);
    for (int axis = 0; axis < store.buffer().rank(); axis++) {
      boolean plain = store.indices().get(axis) instanceof Var var && indexVars.contains(var);
      if (!plain && !isUnit(store.buffer(), axis)) {
        return false;
      }
    }
    return indexVars.containsAll(scope.varyingIn(load().indices()));
  }

  /** The variables that are an index by themselves, of those that take several values. */
  static Set<Var> indexVars(List<PrimExpr> indices, Scope scope) {
    Set<Var> vars = new HashSet<>();
    for (PrimExpr index : indices) {
      if (index instanceof Var var && scope.varying().contains(var)) {
        vars.add(var);
      }
    }
    return vars;
  }

  private boolean isSame(int loadAxis, int storeAxis) {
    return load().indices().get(loadAxis).equals(store.indices().get(storeAxis))
        && isSame(load().buffer().shape().get(loadAxis), store.buffer().shape().get(storeAxis));
  }

  private static boolean isSame(PrimExpr a, PrimExpr b) {
    return a.equals(b) || new Analyzer().canProveEqual(a, b);
  }

  private static boolean isUnit(Buffer buffer, int axis) {
    return buffer.shape().get(axis) instanceof IntImm known && known.value() == 1;
  }
}
