package org.relaxvm.backendcpu.rules;

/** The names of the notes that rules leave on functions and loops. */
public final class Notes {
  /** On functions, true: scheduled already, not to be touched again. */
  public static final String SCHEDULED = "scheduled";

  /**
   * On parallel loops, a long: how many iterations are worth a thread when each loop of symbolic
   * extent inside has a single turn. Whoever knows their extents divides by the product.
   */
  public static final String GRAIN = "grain";

  /** On serial loops of a reduction, true: may add up into several vectors of partial results. */
  public static final String REDUCE_LANES = "reduce_lanes";

  /** On the outer loop of a tile, true: rows of the tile are read, columns are written. */
  public static final String TILE_TRANSPOSE = "tile_transpose";

  private Notes() {}
}
