package org.relaxvm.backendcpu.kernel;

import org.relaxvm.api.Shape;

/**
 * How a window slides over one axis of an image, for convolution and pooling.
 *
 * @param input extent of the image
 * @param size elements of the window
 * @param stride distance of neighbouring windows
 * @param before padding in front of the image
 * @param after padding after the image
 * @param dilation distance of neighbouring elements of the window
 */
public record Window(long input, long size, long stride, long before, long after, long dilation) {

  /** The two windows, vertical and horizontal, of a call. */
  public record Pair(Window vertical, Window horizontal) {}

  /**
   * Reads strides, padding and dilation, which follow each other in the call.
   *
   * @param image the argument with the image {@code [n, c, h, w]}
   * @param size extents of the window
   * @param first the argument with the strides
   */
  static Pair pair(KernelCall call, int image, long[] size, int first) {
    Shape shape = call.tensor(image).shape();
    long[] strides = call.extents(first, 2, 1);
    long[] padding = call.extents(first + 1, 4, 0);
    long[] dilation = call.extents(first + 2, 2, 1);
    return new Pair(
        new Window(shape.dim(2), size[0], strides[0], padding[0], padding[2], dilation[0]),
        new Window(shape.dim(3), size[1], strides[1], padding[1], padding[3], dilation[1]));
  }

  /** Whether each position is one element of the image, and each element is a position. */
  public boolean isTrivial() {
    return size == 1 && stride == 1 && before == 0 && after == 0;
  }

  /** The number of window positions; 0 when the window is larger than the padded image. */
  long positions(boolean roundUp) {
    long room = input + before + after - (size - 1) * dilation - 1;
    if (room < 0) {
      return 0;
    }
    return (roundUp ? (room + stride - 1) / stride : room / stride) + 1;
  }

  /** Where an element of a window lies in the image; may be outside. */
  public long place(long position, long element) {
    return position * stride - before + element * dilation;
  }

  /** Whether an element of a window lies in the image. */
  public boolean covers(long position, long element) {
    long place = place(position, element);
    return place >= 0 && place < input;
  }

  /** The first position whose given element lies in the image or after it. */
  public long firstInside(long element) {
    long missing = before - element * dilation;
    return missing <= 0 ? 0 : (missing + stride - 1) / stride;
  }

  /** One past the last position, of so many, whose given element lies in the image or before it. */
  public long endInside(long element, long positions) {
    long room = input - 1 + before - element * dilation;
    return room < 0 ? 0 : Math.min(positions, room / stride + 1);
  }
}
