package org.relaxvm.tir.op.image;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;

/**
 * How a tensor is resized.
 *
 * @param roi of {@link Coordinates#TF_CROP_AND_RESIZE}: where the crop starts along each spatial
 *     axis, then where it ends, as parts of the extent
 * @param cubicExclude whether taps outside of the tensor have no weight
 * @param extrapolation what a position outside of the tensor gives with {@code tf_crop_and_resize}
 * @param layout such as {@code NCHW}
 * @param outDType null means that of the tensor
 */
public record ResizeAttrs(
    List<Double> roi,
    String layout,
    Method method,
    Coordinates coordinates,
    Rounding rounding,
    double cubicAlpha,
    boolean cubicExclude,
    double extrapolation,
    @Nullable DType outDType) {
  /** How elements are found between others. */
  public enum Method {
    /** The nearest one. */
    NEAREST_NEIGHBOR,
    /** A line between two. */
    LINEAR,
    /** A curve through four. */
    CUBIC
  }

  /** Where a position of the result is in the tensor. */
  public enum Coordinates {
    /** Centers of the elements are scaled. */
    HALF_PIXEL,
    /**
     * The same, with what a size lacks of the scaled extent on both sides alike; nothing is lacking
     * where no scale is given.
     */
    HALF_PIXEL_SYMMETRIC,
    /** As {@link #HALF_PIXEL}, but the only position of an axis is at 0. */
    PYTORCH_HALF_PIXEL,
    /** The first and last elements stay where they are. */
    ALIGN_CORNERS,
    /** The starts of the elements are scaled. */
    ASYMMETRIC,
    /** Centers are scaled to starts. */
    TF_HALF_PIXEL_FOR_NN,
    /** A part of the tensor is resized. */
    TF_CROP_AND_RESIZE
  }

  /** What the nearest element is. */
  public enum Rounding {
    /** Halves to the even one. */
    ROUND,
    /** Halves down. */
    ROUND_PREFER_FLOOR,
    /** Halves up. */
    ROUND_PREFER_CEIL,
    /** Down. */
    FLOOR,
    /** Up. */
    CEIL
  }

  /** Copies the list. */
  public ResizeAttrs {
    roi = List.copyOf(roi);
  }

  /** With the parameters that operators have by default. */
  public static ResizeAttrs of(String layout, Method method, Coordinates coordinates) {
    return new ResizeAttrs(
        List.of(), layout, method, coordinates, Rounding.ROUND, -0.75, false, 0, null);
  }

  /** With another rounding. */
  public ResizeAttrs withRounding(Rounding newRounding) {
    return new ResizeAttrs(
        roi,
        layout,
        method,
        coordinates,
        newRounding,
        cubicAlpha,
        cubicExclude,
        extrapolation,
        outDType);
  }

  /** With another curve. */
  public ResizeAttrs withCubic(double alpha, boolean exclude) {
    return new ResizeAttrs(
        roi, layout, method, coordinates, rounding, alpha, exclude, extrapolation, outDType);
  }

  /** With a crop. */
  public ResizeAttrs withCrop(List<Double> newRoi, double newExtrapolation) {
    return new ResizeAttrs(
        newRoi,
        layout,
        method,
        coordinates,
        rounding,
        cubicAlpha,
        cubicExclude,
        newExtrapolation,
        outDType);
  }
}
