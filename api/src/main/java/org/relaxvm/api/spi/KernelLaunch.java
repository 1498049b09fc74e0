package org.relaxvm.api.spi;

import java.util.Arrays;
import java.util.List;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The sizes of one launch of a kernel, read from the arguments after its parameters. All are 1
 * unless the call says otherwise, and a 0 counts as 1; only the dynamic shared memory may be 0
 * bytes.
 *
 * <p>Source: docs/spec/device-modules.md, section 2. Immutable.
 */
public final class KernelLaunch {
  private static final int AXES = 3;

  private final KernelEntry entry;
  private final int[] sizes;
  private final int sharedBytes;

  private KernelLaunch(KernelEntry entry, int[] sizes, int sharedBytes) {
    this.entry = entry;
    this.sizes = sizes;
    this.sharedBytes = sharedBytes;
  }

  /**
   * Reads the sizes of a call.
   *
   * @param args all arguments of the call
   * @throws CallException a {@code TypeError} when their number is wrong or a size is no integer, a
   *     {@code ValueError} when a size is negative or does not fit 31 bits
   */
  public static KernelLaunch of(KernelEntry entry, CallArgs args) {
    entry.requireCount(args);
    int[] sizes = new int[LaunchTag.Size.SHARED_BYTES.ordinal() * AXES];
    Arrays.fill(sizes, 1);
    int sharedBytes = 0;
    int index = entry.parameters().size();
    // No iterator: this runs at every launch.
    List<LaunchTag> tags = entry.launchTags();
    for (int i = 0; i < tags.size(); i++) {
      LaunchTag tag = tags.get(i);
      if (!tag.hasValue()) {
        continue;
      }
      long size = args.longAt(index++);
      if (size < 0 || size > Integer.MAX_VALUE) {
        throw new CallException(
            ErrorKind.VALUE,
            "kernel "
                + entry.name()
                + " cannot be launched: "
                + tag
                + " must be 0 to "
                + Integer.MAX_VALUE
                + ", but is "
                + size);
      }
      if (tag == LaunchTag.DYNAMIC_SHARED_MEMORY) {
        sharedBytes = (int) size;
      } else {
        sizes[tag.size().ordinal() * AXES + tag.axis()] = (int) Math.max(1, size);
      }
    }
    return new KernelLaunch(entry, sizes, sharedBytes);
  }

  /** Blocks along an axis: 0 for x, 1 for y, 2 for z. */
  public int grid(int axis) {
    return size(LaunchTag.Size.GRID, axis);
  }

  /** Threads of a block along an axis. */
  public int block(int axis) {
    return size(LaunchTag.Size.BLOCK, axis);
  }

  /** Blocks of a cluster along an axis. */
  public int cluster(int axis) {
    return size(LaunchTag.Size.CLUSTER, axis);
  }

  /** Blocks along an axis of the cluster that is used where the device has room. */
  public int preferredCluster(int axis) {
    return size(LaunchTag.Size.PREFERRED_CLUSTER, axis);
  }

  /** Bytes of dynamic shared memory. */
  public int sharedBytes() {
    return sharedBytes;
  }

  /** The dimensions; see {@link KernelEntry#workDimensions}. */
  public int workDimensions() {
    return entry.workDimensions();
  }

  /** Whether the kernel may start before the one in front of it has ended. */
  public boolean isProgrammatic() {
    return entry.launchTags().contains(LaunchTag.PROGRAMMATIC_DEPENDENT_LAUNCH);
  }

  /** Whether all blocks must run at the same time. */
  public boolean isCooperative() {
    return entry.launchTags().contains(LaunchTag.COOPERATIVE_LAUNCH);
  }

  private int size(LaunchTag.Size size, int axis) {
    if (axis < 0 || axis >= AXES) {
      throw new IllegalArgumentException("an axis is 0 to 2, but got " + axis);
    }
    return sizes[size.ordinal() * AXES + axis];
  }

  /** Such as {@code grid=(4,1,1), block=(128,1,1), shared=0}. */
  @Override
  public String toString() {
    return "grid="
        + triple(LaunchTag.Size.GRID)
        + ", block="
        + triple(LaunchTag.Size.BLOCK)
        + ", shared="
        + sharedBytes;
  }

  private String triple(LaunchTag.Size size) {
    return "(" + size(size, 0) + "," + size(size, 1) + "," + size(size, 2) + ")";
  }
}
