package org.relaxvm.backendsupport.gpu;

/** The names of the notes that rules leave on loops. */
public final class Notes {
  /**
   * On serial loops, true: a product and the sum that it is added to may be rounded once, as
   * devices do it in one step. Without it each operation is rounded.
   */
  public static final String CONTRACT = "contract";

  private Notes() {}
}
