package org.relaxvm.api.spi;

import java.util.Arrays;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * What one number at the end of a kernel's call says, or how the kernel wants to be launched.
 *
 * <p>Source: docs/spec/device-modules.md, section 2.
 */
public enum LaunchTag {
  BLOCK_X("blockIdx.x", Size.GRID, 0),
  BLOCK_Y("blockIdx.y", Size.GRID, 1),
  BLOCK_Z("blockIdx.z", Size.GRID, 2),
  THREAD_X("threadIdx.x", Size.BLOCK, 0),
  THREAD_Y("threadIdx.y", Size.BLOCK, 1),
  THREAD_Z("threadIdx.z", Size.BLOCK, 2),
  CLUSTER_X("clusterCtaIdx.x", Size.CLUSTER, 0),
  CLUSTER_Y("clusterCtaIdx.y", Size.CLUSTER, 1),
  CLUSTER_Z("clusterCtaIdx.z", Size.CLUSTER, 2),
  PREFERRED_CLUSTER_X("preferredClusterCtaIdx.x", Size.PREFERRED_CLUSTER, 0),
  PREFERRED_CLUSTER_Y("preferredClusterCtaIdx.y", Size.PREFERRED_CLUSTER, 1),
  PREFERRED_CLUSTER_Z("preferredClusterCtaIdx.z", Size.PREFERRED_CLUSTER, 2),
  /** Bytes of shared memory beside those that the code declares; always the last tag. */
  DYNAMIC_SHARED_MEMORY("tirx.use_dyn_shared_memory", Size.SHARED_BYTES, 0),
  /** May start before the kernel in front of it has ended; carries no number. */
  PROGRAMMATIC_DEPENDENT_LAUNCH("tirx.use_programtic_dependent_launch", Size.NONE, 0),
  /** All blocks run at the same time; carries no number. */
  COOPERATIVE_LAUNCH("tirx.use_cooperative_launch", Size.NONE, 0);

  /** Which size of a launch the number of a tag is. */
  public enum Size {
    /** Blocks of the grid (work-groups). */
    GRID,
    /** Threads of a block (work-items of a group). */
    BLOCK,
    /** Blocks of a cluster. */
    CLUSTER,
    /** Blocks of a cluster where the device has room for so many. */
    PREFERRED_CLUSTER,
    /** Bytes of dynamic shared memory. */
    SHARED_BYTES,
    /** The tag is a flag without a number. */
    NONE
  }

  private static final String PREFIX = "tirx.";
  private static final String OLD_PREFIX = "tir.";

  private final String text;
  private final Size size;
  private final int axis;

  LaunchTag(String text, Size size, int axis) {
    this.text = text;
    this.size = size;
    this.axis = axis;
  }

  /** The name in files, such as {@code blockIdx.x}. */
  public String text() {
    return text;
  }

  /** Which size the number is. */
  public Size size() {
    return size;
  }

  /** 0 for x, 1 for y, 2 for z; 0 where there are no axes. */
  public int axis() {
    return axis;
  }

  /** Whether a call has a number for it. */
  public boolean hasValue() {
    return size != Size.NONE;
  }

  /**
   * The tag of a name; names of older releases, which start with {@code tir.}, are known too.
   *
   * @throws InvalidProgramException when there is no such tag
   */
  public static LaunchTag parse(String name) {
    String current =
        name.startsWith(OLD_PREFIX) ? PREFIX + name.substring(OLD_PREFIX.length()) : name;
    for (LaunchTag tag : values()) {
      if (tag.text.equals(current)) {
        return tag;
      }
    }
    throw new InvalidProgramException(
            ErrorKind.INTERNAL,
            "unknown launch tag '"
                + name
                + "'\n  expected: one of "
                + Arrays.stream(values()).map(LaunchTag::text).toList()
                + "\n  what to do: compile the program for this release")
        .withTvmMessage("Unknown threadscope " + name);
  }

  @Override
  public String toString() {
    return text;
  }
}
