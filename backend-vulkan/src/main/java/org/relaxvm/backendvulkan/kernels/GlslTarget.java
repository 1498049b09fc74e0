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
 * @param mostGroups groups of a dispatch along x, y and z
 */
public record GlslTarget(
    boolean hasFloat64,
    int pushConstantBytes,
    boolean addressed,
    boolean hasSubgroups,
    List<Long> mostGroups) {
  /** What every device dispatches at least. */
  private static final long FEWEST_GROUPS = 65_535;

  /** Copies the list. */
  public GlslTarget {
    mostGroups = List.copyOf(mostGroups);
  }

  /** A device whose work-items do nothing at once, and with no more groups than every one has. */
  GlslTarget(boolean hasFloat64, int pushConstantBytes, boolean addressed) {
    this(
        hasFloat64,
        pushConstantBytes,
        addressed,
        false,
        List.of(FEWEST_GROUPS, FEWEST_GROUPS, FEWEST_GROUPS));
  }
}
