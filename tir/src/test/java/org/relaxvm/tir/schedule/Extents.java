package org.relaxvm.tir.schedule;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Random;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Gives symbolic extents random values, the same for each that is met again. */
final class Extents {
  private final Random random;
  private final Map<PrimExpr, Long> known = new IdentityHashMap<>();

  Extents(Random random) {
    this.random = random;
  }

  long[] of(Buffer buffer) {
    return buffer.shape().stream().mapToLong(this::of).toArray();
  }

  private long of(PrimExpr extent) {
    return extent instanceof IntImm imm
        ? imm.value()
        : known.computeIfAbsent(extent, symbol -> (long) random.nextInt(8));
  }
}
