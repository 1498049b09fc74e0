package org.relaxvm.interoponnx.convert;

/** Seeds of the random numbers of nodes: what the model says, or what follows from names. */
public final class Seeds {
  private static final long WORD = 0xFFFF_FFFFL;

  /** Tells seeds from names from those of attributes. */
  private static final long NAMED = WORD + 1;

  private Seeds() {}

  /** The seed of a node that gives one as a float: its bits. */
  public static long of(float given) {
    return Float.floatToIntBits(given) & WORD;
  }

  /**
   * The seed of a node that gives none. It follows from the names of the node and of those around
   * it, so that two calls of one function have different random numbers.
   */
  public static long ofName(NodeContext node) {
    return NAMED | (node.path().hashCode() & WORD);
  }
}
