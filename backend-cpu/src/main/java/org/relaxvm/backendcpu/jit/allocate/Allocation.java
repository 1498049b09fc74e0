package org.relaxvm.backendcpu.jit.allocate;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;

/**
 * Where virtual registers are: each is in one machine register or in one slot of the frame for the
 * whole function. Immutable after construction.
 */
public final class Allocation {
  private final @Nullable Interval[] byId;
  private final List<Interval> intervals;
  private final int vectorSlotBytes;
  private final int frameBytes;

  Allocation(int registers, List<Interval> intervals, int vectorSlotBytes, int frameBytes) {
    this.intervals = intervals;
    this.vectorSlotBytes = vectorSlotBytes;
    this.frameBytes = frameBytes;
    byId = new Interval[registers];
    for (Interval interval : intervals) {
      byId[interval.reg.id()] = interval;
    }
  }

  private Interval interval(Reg reg) {
    Interval interval = byId[reg.id()];
    if (interval == null) {
      throw new IllegalArgumentException(reg + " is not a register of the allocated function");
    }
    return interval;
  }

  /** Whether a register is in the frame. */
  public boolean isSpilled(Reg reg) {
    return interval(reg).register == Interval.NONE;
  }

  /** The number of the machine register. The virtual register must not be spilled. */
  public int register(Reg reg) {
    int number = interval(reg).register;
    if (number == Interval.NONE) {
      throw new IllegalStateException(reg + " is spilled");
    }
    return number;
  }

  /** The offset in bytes of a spilled register from the start of the frame. */
  public int slot(Reg reg) {
    int slot = interval(reg).slot;
    if (slot == Interval.NONE) {
      throw new IllegalStateException(reg + " is not spilled");
    }
    return slot;
  }

  /** Whether a parameter is read. */
  public boolean isUsed(Reg parameter) {
    Interval interval = interval(parameter);
    return interval.end > interval.start;
  }

  /** The bytes of all slots. Slots of vectors are first, at multiples of their size. */
  public int frameBytes() {
    return frameBytes;
  }

  /** The bytes of the slots of vectors; 0 if no vector is spilled. */
  public int vectorSlotBytes() {
    return vectorSlotBytes;
  }

  /** The numbers of the machine registers of a class that are assigned, in ascending order. */
  public Set<Integer> usedRegisters(RegisterClass kind) {
    Set<Integer> used = new TreeSet<>();
    for (Interval interval : intervals) {
      if (interval.kind == kind && interval.register != Interval.NONE) {
        used.add(interval.register);
      }
    }
    return used;
  }
}
