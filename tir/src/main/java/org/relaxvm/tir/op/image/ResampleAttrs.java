package org.relaxvm.tir.op.image;

/**
 * How axes of a tensor are resampled.
 *
 * @param cubicAlpha the parameter of the curve of {@link ResizeAttrs.Method#CUBIC}
 * @param excludesOutside whether elements outside of the tensor have no weight; else the nearest
 *     one counts for them
 * @param antialias whether the weights are as wide as the distance of the results where there are
 *     fewer of them
 * @param extrapolation what a coordinate outside of the tensor gives with {@link
 *     ResizeAttrs.Coordinates#TF_CROP_AND_RESIZE}
 */
public record ResampleAttrs(
    ResizeAttrs.Method method,
    ResizeAttrs.Coordinates coordinates,
    ResizeAttrs.Rounding rounding,
    double cubicAlpha,
    boolean excludesOutside,
    boolean antialias,
    double extrapolation) {

  /** Whether weights depend on the distance of the results. */
  public boolean widens() {
    return antialias && method != ResizeAttrs.Method.NEAREST_NEIGHBOR;
  }
}
