package org.relaxvm.tir.op.image;

/**
 * How a tensor is sampled between its elements.
 *
 * @param order what comes first: padding, or the choice of elements
 * @param alignCorners whether -1 and 1 are the centers of the first and the last element, or else
 *     their outer edges
 */
public record SampleAttrs(Method method, Padding padding, boolean alignCorners, Order order) {
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

  /**
   * Whether a coordinate is brought into the tensor before or after the elements around it are
   * chosen. It matters for the nearest element of coordinates half-way between two, and for curves
   * near the edge.
   */
  public enum Order {
    /** The nearest element is chosen of a padded coordinate; each element of a curve is padded. */
    PLAIN,
    /**
     * The nearest element is padded; a coordinate outside of the tensor is padded before the
     * elements of a curve are chosen, and padded themselves. ONNX.
     */
    ONNX
  }

  /** The same with {@link Order#PLAIN}. */
  public SampleAttrs(Method method, Padding padding, boolean alignCorners) {
    this(method, padding, alignCorners, Order.PLAIN);
  }
}
