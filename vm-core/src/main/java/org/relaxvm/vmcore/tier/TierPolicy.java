package org.relaxvm.vmcore.tier;

/**
 * When functions are compiled.
 *
 * @param isOn whether functions are compiled at all
 * @param calls how many calls and iterations of loops a function runs interpreted before
 * @param inBackground whether calls go on meanwhile
 * @param mostWords how many words of decoded code a function may have; HotSpot takes long to
 *     compile the methods of a longer one
 */
public record TierPolicy(boolean isOn, int calls, boolean inBackground, int mostWords) {
  /** Compiles nothing. */
  public static final TierPolicy INTERPRETED = new TierPolicy(false, 0, false, 0);

  /** Compiles each function when it is called first. */
  public static final TierPolicy COMPILED = new TierPolicy(true, 0, false, Integer.MAX_VALUE);

  /** Compiles, in the background, what is called often. */
  public static final TierPolicy AUTO = new TierPolicy(true, 2000, true, 1 << 15);
}
