package org.relaxvm.backendcpu.jit.allocate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;

/**
 * Assigns machine registers by linear scan over live intervals. Where registers run out, the
 * interval with the least weight is spilled as a whole. A spilled interval is assigned a register
 * after all if one is free from its start to its end.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why does an interval have one location?"
 */
public final class LinearScan {
  /** The intervals that hold a register of one class at the current position. */
  private static final class Active {
    private final List<Integer> preferred;
    private final List<Interval> intervals = new ArrayList<>();
    private long free;

    Active(List<Integer> preferred) {
      this.preferred = preferred;
      for (int number : preferred) {
        free |= 1L << number;
      }
    }

    void expire(int position) {
      int kept = 0;
      for (Interval interval : intervals) {
        if (interval.end < position) {
          free |= 1L << interval.register;
        } else {
          intervals.set(kept++, interval);
        }
      }
      while (intervals.size() > kept) {
        intervals.removeLast();
      }
    }

    boolean isFree(int number) {
      return number != Interval.NONE && (free >>> number & 1) != 0;
    }

    void take(Interval interval, int number) {
      interval.register = number;
      free &= ~(1L << number);
      intervals.add(interval);
    }

    int firstFree() {
      for (int number : preferred) {
        if (isFree(number)) {
          return number;
        }
      }
      return Interval.NONE;
    }
  }

  private final LirFunction function;
  private final RegisterFile file;
  private final Map<Reg, Integer> parameterHints;
  private final List<Interval> intervals;
  private final @Nullable Interval[] byId;
  private final Map<RegisterClass, Active> active = new EnumMap<>(RegisterClass.class);

  private LinearScan(
      LirFunction function,
      RegisterFile file,
      Map<Reg, Integer> parameterHints,
      Map<Reg, Lir.Load> folded) {
    this.function = function;
    this.file = file;
    this.parameterHints = parameterHints;
    intervals = LiveIntervals.of(function, file, folded);
    byId = new Interval[function.registers()];
    for (Interval interval : intervals) {
      byId[interval.reg.id()] = interval;
    }
    for (RegisterClass kind : RegisterClass.values()) {
      active.put(kind, new Active(file.registers(kind)));
    }
  }

  /**
   * Assigns all registers of a function.
   *
   * @param parameterHints the machine registers that parameters are in when the function is called
   * @param folded loads, by their results, that are emitted as memory operands of the one statement
   *     that uses the result; the result needs no location
   */
  public static Allocation allocate(
      LirFunction function,
      RegisterFile file,
      Map<Reg, Integer> parameterHints,
      Map<Reg, Lir.Load> folded) {
    LinearScan scan = new LinearScan(function, file, parameterHints, folded);
    for (Interval interval : scan.intervals) {
      scan.assign(interval);
    }
    scan.assignFreeRegisters();
    return scan.assignSlots();
  }

  private void assign(Interval current) {
    Active among = Objects.requireNonNull(active.get(current.kind));
    among.expire(current.start);
    int hinted = hinted(current, among);
    int number = hinted != Interval.NONE ? hinted : among.firstFree();
    if (number != Interval.NONE) {
      among.take(current, number);
      return;
    }
    Interval cheapest = current;
    for (Interval interval : among.intervals) {
      boolean isCheaper =
          interval.weight < cheapest.weight
              || (interval.weight == cheapest.weight && interval.end > cheapest.end);
      if (isCheaper) {
        cheapest = interval;
      }
    }
    if (cheapest != current) {
      int taken = cheapest.register;
      cheapest.register = Interval.NONE;
      among.intervals.remove(cheapest);
      among.take(current, taken);
    }
  }

  private int hinted(Interval current, Active among) {
    Integer parameter = parameterHints.get(current.reg);
    if (parameter != null && among.isFree(parameter)) {
      return parameter;
    }
    for (Reg hint : current.hints) {
      Interval interval = byId[hint.id()];
      if (interval != null && interval.end < current.start && among.isFree(interval.register)) {
        return interval.register;
      }
    }
    return Interval.NONE;
  }

  private void assignFreeRegisters() {
    List<Interval> spilled = new ArrayList<>();
    for (Interval interval : intervals) {
      if (interval.register == Interval.NONE) {
        spilled.add(interval);
      }
    }
    if (spilled.isEmpty()) {
      return;
    }
    spilled.sort(Comparator.comparingDouble(interval -> -interval.weight));
    for (Interval interval : spilled) {
      long taken = 0;
      for (Interval other : intervals) {
        if (other.kind == interval.kind
            && other.register != Interval.NONE
            && other.overlaps(interval)) {
          taken |= 1L << other.register;
        }
      }
      for (int number : file.registers(interval.kind)) {
        if ((taken >>> number & 1) == 0) {
          interval.register = number;
          break;
        }
      }
    }
  }

  private Allocation assignSlots() {
    int vectorBytes = assignSlots(0, true);
    int frameBytes = assignSlots(vectorBytes, false);
    return new Allocation(function.registers(), intervals, vectorBytes, frameBytes);
  }

  /** Assigns slots of one size from an offset on; returns the offset after the last one. */
  private int assignSlots(int offset, boolean isVector) {
    List<Interval> holders = new ArrayList<>();
    int next = offset;
    for (Interval interval : intervals) {
      boolean isOther =
          interval.register != Interval.NONE || (interval.kind == RegisterClass.VECTOR) != isVector;
      if (isOther) {
        continue;
      }
      int reused = Interval.NONE;
      for (int i = 0; i < holders.size() && reused == Interval.NONE; i++) {
        if (holders.get(i).end < interval.start) {
          reused = i;
        }
      }
      if (reused == Interval.NONE) {
        interval.slot = next;
        next += file.slotBytes(interval.kind);
        holders.add(interval);
      } else {
        interval.slot = holders.get(reused).slot;
        holders.set(reused, interval);
      }
    }
    return next;
  }
}
