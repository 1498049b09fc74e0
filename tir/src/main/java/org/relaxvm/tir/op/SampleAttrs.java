package org.relaxvm.tir.op;

/**
 * How a tensor is sampled between its elements.
 *
 * @param alignCorners whether -1 and 1 are the centers of the first and the last element, or else
 *     their outer edges
 */
public record SampleAttrs(Method method, Padding padding, boolean alignCorners) {
  /** How a value is found between elements. */
  public enum Method {
    /** The nearest element; halves go to the even one. */
    NEAREST,
    /** Lines between two elements along each axis. */
    BILINEAR,
    /** Curves through four elements along each axis, of two axes. */
    BICUBIC
  }

  /** What there is outside of the tensor. */
  public enum Padding {
    /** Zeros. */
    ZEROS,
    /** The nearest element. */
    BORDER,
    /** The tensor, mirrored at its edges. */
    REFLECTION
  }
}
