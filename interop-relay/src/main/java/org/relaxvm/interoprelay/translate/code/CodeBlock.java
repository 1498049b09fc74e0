package org.relaxvm.interoprelay.translate.code;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** A basic block under construction. Confined to one thread. */
public final class CodeBlock {
  private final List<Call> calls = new ArrayList<>();
  private @Nullable Exit exit;

  CodeBlock() {}

  /** The calls, in order; may be changed. */
  public List<Call> calls() {
    return calls;
  }

  /** Adds a call at the end. */
  public void add(Call call) {
    calls.add(call);
  }

  /** How the block ends. */
  public Exit exit() {
    if (exit == null) {
      throw new IllegalStateException("a block has no exit yet");
    }
    return exit;
  }

  /** Sets how the block ends. */
  public void exit(Exit value) {
    exit = value;
  }

  /** The blocks at which control can go on, the preferred one first; may name one twice. */
  public List<Integer> successors() {
    return switch (exit()) {
      case Exit.Return _ -> List.of();
      case Exit.Jump(int target) -> List.of(target);
      case Exit.Branch(_, int ifTrue, int ifFalse) -> List.of(ifTrue, ifFalse);
    };
  }

  /** Replaces the blocks at which control goes on. */
  void redirect(IntUnaryOperator target) {
    exit =
        switch (exit()) {
          case Exit.Return end -> end;
          case Exit.Jump(int to) -> new Exit.Jump(target.applyAsInt(to));
          case Exit.Branch(Call condition, int ifTrue, int ifFalse) -> {
            int first = target.applyAsInt(ifTrue);
            int second = target.applyAsInt(ifFalse);
            yield first == second
                ? new Exit.Jump(first)
                : new Exit.Branch(condition, first, second);
          }
        };
  }
}
