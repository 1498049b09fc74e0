package org.relaxvm.backendsupport.gpu.analysis;

import java.util.List;
import java.util.Optional;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.analysis.Reduction;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.stmt.For;

/**
 * A block in its loops, and which of them may run at the same time.
 *
 * @param parallel loops of spatial axes whose iterations are independent, from the outside in
 * @param serial all others, from the outside in
 */
public record Stage(Nest nest, List<For> parallel, List<For> serial) {
  /** Copies the lists. */
  public Stage {
    parallel = List.copyOf(parallel);
    serial = List.copyOf(serial);
  }

  /**
   * What the serial loops reduce to; empty where they do something else, or where the block runs
   * under a condition.
   */
  public Optional<Reduction> reduction() {
    if (serial.isEmpty() || !nest.isReduction() || !serial.equals(nest.reduction())) {
      return Optional.empty();
    }
    boolean always = nest.realize().predicate() instanceof IntImm truth && truth.value() != 0;
    return always ? Reduction.of(nest.block()) : Optional.empty();
  }
}
