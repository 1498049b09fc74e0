package org.relaxvm.backendtestkit.definition;

import org.relaxvm.api.Shape;

/** A window that slides over the last two axes of an image. */
record Window(
    Shape image, long[] size, long[] strides, long[] padding, long[] dilation, boolean ceil) {
  interface Visitor {
    void visit(long y, long x, long ky, long kx);
  }

  static Window of(KernelRequest request, Shape image, long[] size, boolean ceil) {
    return new Window(
        image,
        size,
        request.numbers("strides", 2, 1),
        request.numbers("padding", 4, 0),
        request.numbers("dilation", 2, 1),
        ceil);
  }

  /** The number of positions of the window along an axis, 0 vertical, 1 horizontal. */
  long extent(int axis) {
    long room =
        image.dim(2 + axis)
            + padding[axis]
            + padding[axis + 2]
            - (size[axis] - 1) * dilation[axis]
            - 1;
    if (room < 0) {
      return 0;
    }
    return (ceil ? (room + strides[axis] - 1) / strides[axis] : room / strides[axis]) + 1;
  }

  /** Visits the positions of the window of an output index that lie in the image. */
  void forEachInside(long[] at, Visitor visitor) {
    for (long ky = 0; ky < size[0]; ky++) {
      for (long kx = 0; kx < size[1]; kx++) {
        long y = at[2] * strides[0] - padding[0] + ky * dilation[0];
        long x = at[3] * strides[1] - padding[1] + kx * dilation[1];
        if (y >= 0 && y < image.dim(2) && x >= 0 && x < image.dim(3)) {
          visitor.visit(y, x, ky, kx);
        }
      }
    }
  }
}
