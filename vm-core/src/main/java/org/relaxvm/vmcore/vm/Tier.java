package org.relaxvm.vmcore.vm;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.vmcore.tier.TierPolicy;

/**
 * How bytecode functions are executed. The results, errors and limits of all are the same. Calls
 * that an instrument watches, that are captured, or whose instructions are limited are interpreted
 * in any case.
 */
public enum Tier {
  /** By the interpreter. */
  INTERPRETER(TierPolicy.INTERPRETED),

  /** As classes of the JVM, into which each function is compiled when it is called first. */
  COMPILED(TierPolicy.COMPILED),

  /**
   * By the interpreter first; functions that are called or loop often are compiled to classes of
   * the JVM meanwhile.
   */
  AUTO(TierPolicy.AUTO);

  private static final String PROPERTY = "relaxvm.tier";

  private final TierPolicy policy;

  Tier(TierPolicy policy) {
    this.policy = policy;
  }

  /** What virtual machines have unless another tier is chosen. */
  static Tier preset() {
    String name = System.getProperty(PROPERTY, AUTO.name());
    for (Tier tier : values()) {
      if (tier.name().equalsIgnoreCase(name)) {
        return tier;
      }
    }
    throw new LinkException(
        ErrorKind.VALUE,
        "-D"
            + PROPERTY
            + "="
            + name
            + " names no tier\n  what to do: choose interpreter, compiled or auto");
  }

  TierPolicy policy() {
    return policy;
  }
}
