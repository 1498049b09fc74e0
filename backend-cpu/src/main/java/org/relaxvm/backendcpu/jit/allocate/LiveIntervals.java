package org.relaxvm.backendcpu.jit.allocate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;

/**
 * Live intervals of the virtual registers of a function. A statement reads at an even position and
 * writes at the following odd one, so that a result may have the register of an operand that is
 * read for the last time. A register that is accessed in a loop and defined before it is live until
 * the end of the loop.
 */
final class LiveIntervals {
  private static final double LOOP_WEIGHT = 10;

  /** A loop that is being traversed, and the intervals that it extends. */
  private record OpenLoop(int start, List<Interval> extended) {}

  private final LirFunction function;
  private final RegisterFile file;
  private final Map<Reg, Lir.Load> folded;
  private final @Nullable Interval[] byId;
  private final List<Interval> intervals = new ArrayList<>();
  private final List<OpenLoop> loops = new ArrayList<>();
  private int position;
  private double weight = 1;

  private LiveIntervals(LirFunction function, RegisterFile file, Map<Reg, Lir.Load> folded) {
    this.function = function;
    this.file = file;
    this.folded = folded;
    byId = new Interval[function.registers()];
  }

  /**
   * The intervals, by ascending start.
   *
   * @param folded loads that are emitted as operands of the statements that use their results
   */
  static List<Interval> of(LirFunction function, RegisterFile file, Map<Reg, Lir.Load> folded) {
    LiveIntervals live = new LiveIntervals(function, file, folded);
    for (Reg parameter :
        List.of(function.block(), function.from(), function.to(), function.scratch())) {
      live.define(parameter, List.of());
    }
    live.walk(function.body());
    return live.intervals;
  }

  private void walk(List<Lir> list) {
    for (Lir lir : list) {
      walk(lir);
    }
  }

  private void walk(Lir lir) {
    position += 2;
    if (lir instanceof Lir.Compute(Op op, Reg result, List<Operand> args)) {
      useAll(args);
      define(result, hints(op, args));
    } else if (lir instanceof Lir.Load load) {
      if (!folded.containsKey(load.result())) {
        use(load.from());
        useIfPresent(load.mask());
        define(load.result(), List.of());
      }
    } else if (lir instanceof Lir.Store store) {
      use(store.to());
      use(store.value());
      useIfPresent(store.mask());
    } else if (lir instanceof Lir.Compare compare) {
      use(compare.a());
      use(compare.b());
      define(compare.result(), List.of());
    } else if (lir instanceof Lir.Gather gather) {
      use(gather.base());
      use(gather.index());
      useIfPresent(gather.mask());
      define(gather.result(), List.of());
    } else if (lir instanceof Lir.Loop loop) {
      walk(loop);
    } else if (lir instanceof Lir.If branch) {
      use(branch.a());
      use(branch.b());
      walk(branch.whenTrue());
      walk(branch.whenFalse());
    } else if (lir instanceof Lir.FailIf fail) {
      use(fail.a());
      use(fail.b());
      useAll(fail.values());
      if (!fail.values().isEmpty()) {
        use(function.block());
      }
    } else {
      throw new IllegalStateException("a statement that is not known: " + lir);
    }
  }

  private void useAll(List<Operand> operands) {
    for (Operand operand : operands) {
      use(operand);
    }
  }

  private void walk(Lir.Loop loop) {
    use(loop.counter());
    use(loop.limit());
    OpenLoop open = new OpenLoop(position, new ArrayList<>());
    loops.add(open);
    weight *= LOOP_WEIGHT;
    walk(loop.body());
    position += 2;
    use(loop.counter());
    use(loop.limit());
    define(loop.counter(), List.of());
    weight /= LOOP_WEIGHT;
    loops.removeLast();
    for (Interval interval : open.extended()) {
      interval.end = Math.max(interval.end, position + 1);
    }
  }

  /** Operands whose register suits the result, the best first. */
  private static List<Operand> hints(Op op, List<Operand> args) {
    return switch (op) {
      case FMA, FNMA ->
          args.get(2) instanceof Reg ? List.of(args.get(2), args.get(0), args.get(1)) : args;
      case BLEND, SELECT -> List.of(args.get(2), args.get(1));
      default -> args;
    };
  }

  private void use(Operand.Address address) {
    use(address.base());
    useIfPresent(address.index());
  }

  private void useIfPresent(@Nullable Reg reg) {
    if (reg != null) {
      use(reg);
    }
  }

  private void use(Operand operand) {
    if (!(operand instanceof Reg reg)) {
      return;
    }
    Lir.Load load = folded.get(reg);
    if (load != null) {
      use(load.from());
      return;
    }
    Interval interval = byId[reg.id()];
    if (interval == null) {
      throw new IllegalArgumentException(
          "%s of function %s is read before it is defined".formatted(reg, function.name()));
    }
    access(interval, position);
  }

  private void define(Reg result, List<Operand> hints) {
    Interval interval = byId[result.id()];
    if (interval == null) {
      interval = new Interval(result, file.classOf(result.type()), position + 1);
      byId[result.id()] = interval;
      intervals.add(interval);
      for (Operand hint : hints) {
        if (hint instanceof Reg reg && file.classOf(reg.type()) == interval.kind) {
          interval.hints.add(reg);
        }
      }
    }
    access(interval, position + 1);
  }

  private void access(Interval interval, int at) {
    interval.end = Math.max(interval.end, at);
    interval.weight += weight;
    for (OpenLoop loop : loops) {
      if (loop.start() >= interval.start) {
        loop.extended().add(interval);
        return;
      }
    }
  }
}
