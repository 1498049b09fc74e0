package org.relaxvm.compiler.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.relaxvm.vmcore.executable.Arg;

/** Orders the moves of values into registers that may be among the values. */
final class ParallelMoves {
  private ParallelMoves() {}

  /** A move of a value into a register. */
  record Move(Arg from, Arg to) {}

  /**
   * Moves that have, one after the other, the effect of moving all values at once. A register that
   * gets its own value needs none.
   *
   * @param values what the registers get, in their order from register 0 on
   * @param scratch makes a register that is not in use, for each cycle
   */
  static List<Move> of(List<Arg> values, Supplier<Arg> scratch) {
    List<Move> left = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      Move move = new Move(values.get(i), Arg.register(i));
      if (!move.from().equals(move.to())) {
        left.add(move);
      }
    }
    List<Move> ordered = new ArrayList<>();
    while (!left.isEmpty()) {
      Move next =
          left.stream()
              .filter(move -> left.stream().noneMatch(other -> other.from().equals(move.to())))
              .findFirst()
              .orElse(null);
      if (next != null) {
        left.remove(next);
        ordered.add(next);
      } else {
        // Cycles only: one is opened by a copy of what its first move overwrites.
        Arg overwritten = left.getFirst().to();
        Arg copy = scratch.get();
        ordered.add(new Move(overwritten, copy));
        left.replaceAll(move -> move.from().equals(overwritten) ? new Move(copy, move.to()) : move);
      }
    }
    return ordered;
  }
}
