package com.example.metering.kernels;

import org.relaxvm.api.Shape;

/** {@code relaxvm.max_pool2d(x, pool_size, strides, padding, dilation, ceil_mode, out)}. */
final class MaxPool2d {
  private MaxPool2d() {}

  static long run(KernelCall call) {
    Floats x = call.floats("x");
    call.require(x.rank() == 4, "x", "a tensor [n, c, h, w]", x.shape());
    long[] size = call.numbers("pool_size", 2, 1);
    Window window = Window.of(call, x, size, call.flag("ceil_mode"));
    long height = window.extent(0);
    long width = window.extent(1);
    Floats out = call.out(Shape.of(x.dim(0), x.dim(1), height, width));
    long comparisons = 0;
    for (long i = 0; i < out.count(); i++) {
      float largest = Float.NEGATIVE_INFINITY;
      for (long ky = 0; ky < size[0]; ky++) {
        for (long kx = 0; kx < size[1]; kx++) {
          long row = window.inImage(0, i / width % height, ky);
          long column = window.inImage(1, i % width, kx);
          if (row >= 0 && column >= 0) {
            long image = i / (height * width);
            largest = Math.max(largest, x.get((image * x.dim(2) + row) * x.dim(3) + column));
            comparisons++;
          }
        }
      }
      out.set(i, largest);
    }
    return comparisons;
  }
}
