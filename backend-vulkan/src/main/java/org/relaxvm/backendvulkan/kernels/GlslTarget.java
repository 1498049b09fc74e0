package org.relaxvm.backendvulkan.kernels;

/**
 * What a device has that decides how kernels are written.
 *
 * @param hasFloat64 whether it computes with doubles
 * @param pushConstantBytes the most bytes of push constants; arguments that need more are given in
 *     a uniform buffer
 * @param addressed whether kernels address their buffers, and not bind them
 * @param hasSubgroups whether work-items that run in lockstep add and compare at once
 */
public record GlslTarget(
    boolean hasFloat64, int pushConstantBytes, boolean addressed, boolean hasSubgroups) {
  /** A device whose work-items do nothing at once. */
  GlslTarget(boolean hasFloat64, int pushConstantBytes, boolean addressed) {
    this(hasFloat64, pushConstantBytes, addressed, false);
  }
}
