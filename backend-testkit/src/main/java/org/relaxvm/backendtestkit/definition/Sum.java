package org.relaxvm.backendtestkit.definition;

import org.relaxvm.api.DType;
import org.relaxvm.api.kernels.Activation;

/** A sum of elements: doubles for floats, 64 bits that wrap around for integers. */
final class Sum {
  private final DType dtype;
  private double floats;
  private long integers;

  Sum(DType dtype) {
    this.dtype = dtype;
  }

  void add(long bits) {
    if (dtype.isFloat()) {
      floats += Double.longBitsToDouble(bits);
    } else {
      integers += bits;
    }
  }

  void addProduct(long a, long b) {
    if (dtype.isFloat()) {
      floats += Double.longBitsToDouble(a) * Double.longBitsToDouble(b);
    } else {
      integers += a * b;
    }
  }

  long dividedBy(long divisor) {
    return ElementBits.ofDouble(floats / divisor);
  }

  long result(Activation activation) {
    if (dtype.isFloat()) {
      return ElementBits.ofDouble(Functions.activate(activation, floats));
    }
    long wrapped = ElementBits.wrap(integers, dtype);
    boolean cut = activation == Activation.RELU && !ElementBits.isUnsigned(dtype);
    return cut ? Math.max(wrapped, 0) : wrapped;
  }

  /** The smallest element of a dtype; minus infinity for floats. */
  static long smallest(DType dtype) {
    if (dtype.isFloat()) {
      return ElementBits.ofDouble(Double.NEGATIVE_INFINITY);
    }
    return ElementBits.isUnsigned(dtype) ? 0 : Long.MIN_VALUE >> (64 - dtype.bits());
  }

  static long larger(long a, long b, DType dtype) {
    return ElementwiseDefinitions.apply(
        Math::max, (x, y, t) -> ElementBits.compare(x, y, t) < 0 ? y : x, dtype, a, b);
  }
}
