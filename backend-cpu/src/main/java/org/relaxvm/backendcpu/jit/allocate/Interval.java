package org.relaxvm.backendcpu.jit.allocate;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;

/** The positions between which a virtual register needs a location, and what it is assigned to. */
final class Interval {
  /** Neither a register nor a slot. */
  static final int NONE = -1;

  final Reg reg;
  final RegisterClass kind;
  final int start;
  int end;

  /** Uses and definitions, each times ten for every loop around it. */
  double weight;

  /** Registers whose last use may be the first definition of this one. */
  final List<Reg> hints = new ArrayList<>(2);

  int register = NONE;
  int slot = NONE;

  Interval(Reg reg, RegisterClass kind, int start) {
    this.reg = reg;
    this.kind = kind;
    this.start = start;
    this.end = start;
  }

  boolean overlaps(Interval other) {
    return start <= other.end && other.start <= end;
  }

  @Override
  public String toString() {
    return "%s: %d to %d, weight %s, register %d, slot %d"
        .formatted(reg, start, end, weight, register, slot);
  }
}
