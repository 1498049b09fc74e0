package org.relaxvm.interoponnx.operator.flow;

import java.util.List;
import java.util.stream.Stream;
import org.relaxvm.interoponnx.value.Operand;

/** What an iteration of a loop computes. It emits bindings each time it is asked. */
@FunctionalInterface
interface LoopBody {
  /** Emits an iteration. */
  Results run(Iteration iteration);

  /**
   * What an iteration gets.
   *
   * @param number from 0; an int64 scalar that may depend on a symbol
   * @param unrolled tells iterations apart that are translated one by one; empty where the bindings
   *     are those of a function
   */
  record Iteration(Operand number, List<Operand> carried, String unrolled) {}

  /**
   * What an iteration gives.
   *
   * @param condition whether there is a next iteration
   * @param carried values for the next iteration
   * @param scanned a part of each result that is collected
   */
  record Results(Operand condition, List<Operand> carried, List<Operand> scanned) {
    /** Whether all of them were translated. */
    boolean areAvailable() {
      return Stream.concat(Stream.of(condition), Stream.concat(carried.stream(), scanned.stream()))
          .noneMatch(Operand.Unavailable.class::isInstance);
    }
  }
}
