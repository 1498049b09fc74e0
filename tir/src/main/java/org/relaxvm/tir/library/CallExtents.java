package org.relaxvm.tir.library;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * The extents of a call in the kernel that is made for it: equal ones are one variable, 0, 1 and
 * those that have to be known are constants. So a kernel serves all calls whose extents are equal
 * where they were in the first one. For one thread.
 */
final class CallExtents {
  private final @Nullable Set<Long> known;
  private final Map<Long, Integer> numbers = new HashMap<>();
  private final Map<Integer, Var> variables = new HashMap<>();

  private CallExtents(@Nullable Set<Long> known) {
    this.known = known;
  }

  /** Constants only. */
  static CallExtents constant() {
    return new CallExtents(null);
  }

  /** Variables but for some constants. */
  static CallExtents symbolic(Collection<Long> known) {
    return new CallExtents(new HashSet<>(known));
  }

  private boolean isConstant(long extent) {
    return known == null || extent <= 1 || known.contains(extent);
  }

  private int number(long extent) {
    return numbers.computeIfAbsent(extent, e -> numbers.size());
  }

  /** Tells extents apart that are not the same in the kernel: constants are themselves. */
  long code(long extent) {
    return isConstant(extent) ? extent : -1 - number(extent);
  }

  /** An extent in the kernel. */
  PrimExpr of(long extent) {
    return isConstant(extent)
        ? IntImm.of(extent)
        : variables.computeIfAbsent(number(extent), number -> Var.index("n" + number));
  }
}
