package org.relaxvm.backendsupport.gpu;

/** The names of the notes that rules leave on loops and blocks. */
public final class Notes {
  /**
   * On serial loops, true: a product and the sum that it is added to may be rounded once, as
   * devices do it in one step. Without it each operation is rounded.
   */
  public static final String CONTRACT = "contract";

  /**
   * On blocks, the name of a {@link org.relaxvm.tir.expr.BinaryOp}: the phases in it put all
   * elements of the one array that they write together by this operation, into its first element.
   * The array has an element for each work-item of the group. Devices that have a faster way than
   * these phases may take it; what the other elements then hold does not matter.
   */
  public static final String GROUP_REDUCTION = "group_reduction";

  private Notes() {}
}
