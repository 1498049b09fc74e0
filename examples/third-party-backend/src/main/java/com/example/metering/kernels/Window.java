package com.example.metering.kernels;

/** A window that slides over the last two axes of an image; each array is vertical, horizontal. */
record Window(
    long[] image, long[] size, long[] strides, long[] padding, long[] dilation, boolean ceil) {

  static Window of(KernelCall call, Floats image, long[] size, boolean ceil) {
    return new Window(
        new long[] {image.dim(2), image.dim(3)},
        size,
        call.numbers("strides", 2, 1),
        call.numbers("padding", 4, 0),
        call.numbers("dilation", 2, 1),
        ceil);
  }

  /** The number of places along an axis, 0 or 1. */
  long extent(int axis) {
    long room =
        image[axis] + padding[axis] + padding[axis + 2] - (size[axis] - 1) * dilation[axis] - 1;
    if (room < 0) {
      return 0;
    }
    return (ceil ? Math.ceilDiv(room, strides[axis]) : room / strides[axis]) + 1;
  }

  /** Where in the image an element of the window lies along an axis; -1 when in the padding. */
  long inImage(int axis, long place, long element) {
    long at = place * strides[axis] - padding[axis] + element * dilation[axis];
    return at < image[axis] ? Math.max(at, -1) : -1;
  }
}
