package com.example.metering.kernels;

/** {@code relaxvm.softmax(x, axis, out)}; the output may be the input. */
final class Softmax {
  private Softmax() {}

  static long run(KernelCall call) {
    Floats x = call.floats("x");
    long given = call.integer("axis");
    call.require(given >= -x.rank() && given < x.rank(), "axis", "an axis of " + x.shape(), given);
    int axis = (int) (given < 0 ? given + x.rank() : given);
    Floats out = call.out(x.shape());
    long length = x.dim(axis);
    long step = 1;
    for (int inner = axis + 1; inner < x.rank(); inner++) {
      step *= x.dim(inner);
    }
    for (long line = 0; line < x.count() / Math.max(1, length); line++) {
      normalise(x, out, line / step * step * length + line % step, step, length);
    }
    // A comparison, a subtraction, an exponential, an addition and a division.
    return 5 * x.count();
  }

  private static void normalise(Floats x, Floats out, long first, long step, long length) {
    long end = first + length * step;
    float largest = Float.NEGATIVE_INFINITY;
    for (long i = first; i < end; i += step) {
      largest = Math.max(largest, x.get(i));
    }
    double sum = 0;
    for (long i = first; i < end; i += step) {
      float power = (float) Math.exp(x.get(i) - largest);
      out.set(i, power);
      sum += power;
    }
    for (long i = first; i < end; i += step) {
      out.set(i, (float) (out.get(i) / sum));
    }
  }
}
