package org.relaxvm.backendsupport.gpu.foreign;

import java.util.Arrays;
import org.relaxvm.api.spi.KernelLaunch;

/**
 * How many work-items a launch has, as OpenCL counts: all of them, and those of one work-group.
 * Values are in the order x, y, z. Immutable.
 */
public final class WorkSize {
  private final long[] global;
  private final long[] local;

  private WorkSize(long[] global, long[] local) {
    this.global = global;
    this.local = local;
  }

  /**
   * A launch.
   *
   * @param global work-items along each of 1 to 3 axes, positive
   * @param local those of a work-group, as many values; each divides that of {@code global}
   */
  public static WorkSize of(long[] global, long[] local) {
    boolean sound = global.length == local.length && global.length >= 1 && global.length <= 3;
    for (int axis = 0; sound && axis < global.length; axis++) {
      sound = local[axis] > 0 && global[axis] > 0 && global[axis] % local[axis] == 0;
    }
    if (!sound) {
      throw new IllegalArgumentException(
          "expected 1 to 3 sizes that groups divide, but got "
              + Arrays.toString(global)
              + " in groups of "
              + Arrays.toString(local));
    }
    return new WorkSize(global.clone(), local.clone());
  }

  /** Work-groups are the blocks of a launch, and there are as many as its grid has. */
  public static WorkSize of(KernelLaunch launch) {
    int dimensions = launch.workDimensions();
    long[] global = new long[dimensions];
    long[] local = new long[dimensions];
    for (int axis = 0; axis < dimensions; axis++) {
      local[axis] = launch.block(axis);
      global[axis] = local[axis] * launch.grid(axis);
    }
    return new WorkSize(global, local);
  }

  /** The number of axes, 1 to 3. */
  public int dimensions() {
    return global.length;
  }

  /** All work-items along each axis; a copy. */
  public long[] global() {
    return global.clone();
  }

  /** The work-items of a work-group along each axis; a copy. */
  public long[] local() {
    return local.clone();
  }

  /**
   * The work-items of a work-group, all axes together; {@link Long#MAX_VALUE} for more than fit.
   */
  public long workGroupSize() {
    long size = 1;
    for (long items : local) {
      if (items > Long.MAX_VALUE / size) {
        return Long.MAX_VALUE;
      }
      size *= items;
    }
    return size;
  }

  @Override
  public String toString() {
    return Arrays.toString(global) + " in groups of " + Arrays.toString(local);
  }
}
