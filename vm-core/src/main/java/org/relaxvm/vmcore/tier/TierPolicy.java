package org.relaxvm.vmcore.tier;

/**
 * When functions are compiled.
 *
 * @param isOn whether functions are compiled at all
 * @param calls how many calls and iterations of loops a function runs interpreted before
 * @param inBackground whether calls go on meanwhile
 */
public record TierPolicy(boolean isOn, int calls, boolean inBackground) {
  /** Compiles nothing. */
  public static final TierPolicy INTERPRETED = new TierPolicy(false, 0, false);

  /** Compiles each function when it is called first. */
  public static final TierPolicy COMPILED = new TierPolicy(true, 0, false);

  /** Compiles, in the background, what is called often. */
  public static final TierPolicy AUTO = new TierPolicy(true, 2000, true);
}
