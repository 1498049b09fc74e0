package org.relaxvm.backendsupport.gpu;

/** The names of the annotations that rules leave on loops and blocks. */
public final class ScheduleAnnotations {
  /**
   * On serial loops, true: a product and the sum that it is added to may be rounded once, as
   * devices do it in one step. Without it each operation is rounded.
   */
  public static final String CONTRACT = "contract";

  /**
   * On blocks, the name of a {@link org.relaxvm.tir.expr.BinaryOp}: the phases in it put all
   * elements of each run in the one array that they write together by this operation, into the
   * first element of the run. The array has runs of an element for each work-item of the
   * work-group, which follow each other; mostly it is one. Devices that have a faster way than
   * these phases may take it; what the other elements then hold does not matter.
   */
  public static final String WORK_GROUP_REDUCTION = "group_reduction";

  /**
   * On blocks, true: the arrays of a work-group that the block has hold elements as memory of the
   * device does, float16 in 16 bits and not in 32.
   */
  public static final String STORED = "stored";

  /**
   * On blocks, true: what the block copies to shared memory is not used before the next phase that
   * has the annotation {@link #COPIES_IN_FLIGHT}, or a later one. Devices may copy while work-items
   * go on. All work-items come through the block the same number of times.
   */
  public static final String COPIES = "copies";

  /**
   * On phases, a long: how many of the last blocks with the annotation {@link #COPIES} need not be
   * done when the phase begins. All earlier ones are, for all work-items.
   */
  public static final String COPIES_IN_FLIGHT = "copies_in_flight";

  /**
   * On blocks, true: the loops in it add products of elements in shared memory to accumulators of a
   * work-item, so that the work-items of a subgroup together multiply two small matrices, in the
   * layout of {@link MatrixUnit}. All of them come through the block at the same time.
   */
  public static final String MATRIX_PRODUCT = "matrix_product";

  /**
   * On blocks around phases, a long: how many work-groups of the launch a unit of the device should
   * have room for. Compilers that share out registers then give a work-item no more than that
   * leaves.
   */
  public static final String WORK_GROUPS_AT_ONCE = "groups_at_once";

  private ScheduleAnnotations() {}
}
