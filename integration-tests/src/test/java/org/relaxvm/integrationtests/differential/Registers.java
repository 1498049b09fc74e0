package org.relaxvm.integrationtests.differential;

import java.util.random.RandomGenerator;
import org.relaxvm.vmcore.executable.Arg;

/** The registers of a generated function: parameters, two for each kind of value, and counters. */
final class Registers {
  /** What a register mostly holds. */
  enum Kind {
    INT,
    BOOL,
    SHAPE,
    TUPLE,
    CLOSURE,
    HEAP,
    ANYTHING
  }

  private static final int PER_KIND = 2;
  private static final int ODD = 80;

  private final RandomGenerator random;
  private final int parameters;
  private int next;

  Registers(RandomGenerator random, int parameters) {
    this.random = random;
    this.parameters = parameters;
    this.next = parameters + PER_KIND * Kind.values().length;
  }

  /** A register that mostly holds a kind; now and then another one. */
  Arg of(Kind kind) {
    return random.nextInt(ODD) == 0 ? any() : exactly(kind, random.nextInt(PER_KIND));
  }

  Arg exactly(Kind kind, int which) {
    return Arg.register(parameters + kind.ordinal() * PER_KIND + which);
  }

  /** Any register but counters. */
  Arg any() {
    return Arg.register(random.nextInt(parameters + PER_KIND * Kind.values().length));
  }

  /** A register that nothing else writes. */
  Arg counter() {
    return Arg.register(next++);
  }
}
