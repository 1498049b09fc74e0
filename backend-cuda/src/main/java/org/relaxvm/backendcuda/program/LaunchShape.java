package org.relaxvm.backendcuda.program;

import org.relaxvm.api.spi.KernelLaunch;
import org.relaxvm.backendcuda.driver.Axes;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;

/**
 * How many blocks and threads a launch has, and how they run.
 *
 * @param grid blocks along each axis
 * @param block threads of a block along each axis
 * @param cluster blocks of a cluster along each axis
 * @param preferredCluster blocks of the cluster that is used where the device has room
 * @param sharedBytes shared memory that is sized at the launch
 * @param overlapsPrevious whether it may start before the launch in front of it has ended
 * @param cooperative whether all blocks have to run at the same time
 */
public record LaunchShape(
    Axes grid,
    Axes block,
    Axes cluster,
    Axes preferredCluster,
    int sharedBytes,
    boolean overlapsPrevious,
    boolean cooperative) {

  /**
   * Blocks are the work-groups of a launch, and threads its work-items.
   *
   * @param sharedBytes shared memory that is sized at the launch
   */
  public static LaunchShape of(WorkSize size, long sharedBytes) {
    long[] global = size.global();
    long[] local = size.local();
    int[] grid = {1, 1, 1};
    int[] block = {1, 1, 1};
    for (int axis = 0; axis < global.length; axis++) {
      // What does not fit is more than any device has, and is refused as that.
      grid[axis] = Math.clamp(global[axis] / local[axis], 1, Integer.MAX_VALUE);
      block[axis] = Math.clamp(local[axis], 1, Integer.MAX_VALUE);
    }
    int shared = Math.clamp(sharedBytes, 0, Integer.MAX_VALUE);
    return new LaunchShape(axes(grid), axes(block), Axes.ONE, Axes.ONE, shared, false, false);
  }

  /** As another compiler's kernel was called. */
  public static LaunchShape of(KernelLaunch launch) {
    return new LaunchShape(
        new Axes(launch.grid(0), launch.grid(1), launch.grid(2)),
        new Axes(launch.block(0), launch.block(1), launch.block(2)),
        new Axes(launch.cluster(0), launch.cluster(1), launch.cluster(2)),
        new Axes(
            launch.preferredCluster(0), launch.preferredCluster(1), launch.preferredCluster(2)),
        launch.sharedBytes(),
        launch.isProgrammatic(),
        launch.isCooperative());
  }

  private static Axes axes(int[] sizes) {
    return new Axes(sizes[0], sizes[1], sizes[2]);
  }

  /** Such as {@code grid=(4,1,1), block=(128,1,1), shared=0}. */
  @Override
  public String toString() {
    return "grid="
        + grid
        + ", block="
        + block
        + (cluster.equals(Axes.ONE) ? "" : ", cluster=" + cluster)
        + ", shared="
        + sharedBytes;
  }
}
