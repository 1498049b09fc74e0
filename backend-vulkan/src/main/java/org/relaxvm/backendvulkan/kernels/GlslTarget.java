package org.relaxvm.backendvulkan.kernels;

import java.util.List;

/**
 * What a device has that decides how kernels are written.
 *
 * @param hasFloat64 whether it computes with doubles
 * @param pushConstantBytes the most bytes of push constants; arguments that need more are given in
 *     a uniform buffer
 * @param addressed whether kernels address their buffers, and not bind them
 * @param hasSubgroups whether work-items that run in lockstep add and compare at once
 * @param maxWorkGroups work-groups of a dispatch along x, y and z
 */
public record GlslTarget(
    boolean hasFloat64,
    int pushConstantBytes,
    boolean addressed,
    boolean hasSubgroups,
    List<Long> maxWorkGroups) {
  /** What every device dispatches at least. */
  private static final long MIN_WORK_GROUPS = 65_535;

  /** Copies the list. */
  public GlslTarget {
    maxWorkGroups = List.copyOf(maxWorkGroups);
  }

  /**
   * A device whose work-items do nothing at once, and with no more work-groups than every one has.
   */
  GlslTarget(boolean hasFloat64, int pushConstantBytes, boolean addressed) {
    this(
        hasFloat64,
        pushConstantBytes,
        addressed,
        false,
        List.of(MIN_WORK_GROUPS, MIN_WORK_GROUPS, MIN_WORK_GROUPS));
  }
}
