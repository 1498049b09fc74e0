package org.relaxvm.backendvulkan.kernels;

/**
 * What shaders are compiled for.
 *
 * @param vulkan13 whether the device has Vulkan 1.3, and not only 1.2
 * @param float32 what it promises of floats of 32 bits
 * @param float64 what it promises of floats of 64 bits; asked for in shaders that have such
 */
public record SpirvTarget(boolean vulkan13, FloatControls float32, FloatControls float64) {
  /**
   * What a device promises of the floats of a width, if it is asked to. Where it promises something
   * only for both widths or for none, say so of both or of none.
   *
   * @param keepsSpecialValues {@code shaderSignedZeroInfNanPreserve}: infinities, NaN and the sign
   *     of zero are as IEEE 754 has them
   * @param roundsToNearest {@code shaderRoundingModeRTE}: ties go to even
   * @param keepsDenormals {@code shaderDenormPreserve}: numbers close to 0 are not taken for 0
   */
  public record FloatControls(
      boolean keepsSpecialValues, boolean roundsToNearest, boolean keepsDenormals) {
    /** A device that promises nothing. */
    public static final FloatControls NONE = new FloatControls(false, false, false);
  }
}
