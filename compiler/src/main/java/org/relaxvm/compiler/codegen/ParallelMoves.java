package org.relaxvm.compiler.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Orders the moves of values into registers that may be among the values. */
final class ParallelMoves {
  private ParallelMoves() {}

  /** A move of a value into a register. */
  record Move<T>(T from, T to) {}

  /**
   * Moves that have, one after the other, the effect of moving all values at once. A register that
   * gets its own value needs none.
   *
   * @param values what the registers get, in their order from register 0 on
   * @param register the register of a number, which equals a value that is this register
   * @param scratch makes a register that is not in use, for each cycle
   */
  static <T> List<Move<T>> of(List<T> values, IntFunction<T> register, Supplier<T> scratch) {
    List<Move<T>> left = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      Move<T> move = new Move<>(values.get(i), register.apply(i));
      if (!move.from().equals(move.to())) {
        left.add(move);
      }
    }
    List<Move<T>> ordered = new ArrayList<>();
    while (!left.isEmpty()) {
      Move<T> next =
          left.stream()
              .filter(move -> left.stream().noneMatch(other -> other.from().equals(move.to())))
              .findFirst()
              .orElse(null);
      if (next != null) {
        left.remove(next);
        ordered.add(next);
      } else {
        // Cycles only: one is opened by a copy of what its first move overwrites.
        T overwritten = left.getFirst().to();
        T copy = scratch.get();
        ordered.add(new Move<>(overwritten, copy));
        left.replaceAll(
            move -> move.from().equals(overwritten) ? new Move<>(copy, move.to()) : move);
      }
    }
    return ordered;
  }
}
