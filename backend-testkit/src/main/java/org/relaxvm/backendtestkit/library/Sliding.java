package org.relaxvm.backendtestkit.library;

/** Random attributes of a window over an image, and the extents that they give. */
final class Sliding {
  final long[] strides;
  final long[] padding;
  final long[] dilation;
  final boolean ceil;
  private final long[] image;
  private final long[] size;

  Sliding(RandomTensors random, long[] image, long[] size, boolean ceil) {
    this.strides = new long[] {1L + random.upTo(2), 1L + random.upTo(2)};
    this.padding = new long[] {random.upTo(3), random.upTo(3), random.upTo(3), random.upTo(3)};
    this.dilation = new long[] {1L + random.upTo(1), 1L + random.upTo(1)};
    this.ceil = ceil;
    this.image = image;
    this.size = size;
  }

  long extent(int axis) {
    long room =
        image[axis] + padding[axis] + padding[axis + 2] - (size[axis] - 1) * dilation[axis] - 1;
    if (room < 0) {
      return 0;
    }
    return Math.ceilDiv(ceil ? room : room - room % strides[axis], strides[axis]) + 1;
  }
}
