package org.relaxvm.compiler.pass.fold;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/**
 * A product, scaled and shifted per channel. The arrays are not changed.
 *
 * @param scale a number for each channel; empty for 1
 * @param shift a number for each channel; empty for 0
 * @param steps how many operators it stands for, besides the product
 */
record AffineForm(
    ChannelProduct product, Optional<double[]> scale, Optional<double[]> shift, int steps) {
  static AffineForm of(ChannelProduct product) {
    return new AffineForm(product, Optional.empty(), Optional.empty(), 0);
  }

  /** Times a number for each channel. */
  AffineForm times(double[] factors) {
    return new AffineForm(
        product,
        Optional.of(scale.map(own -> zip(own, factors, (a, b) -> a * b)).orElse(factors)),
        shift.map(own -> zip(own, factors, (a, b) -> a * b)),
        steps + 1);
  }

  /** Plus a number for each channel. */
  AffineForm plus(double[] summands) {
    return new AffineForm(
        product,
        scale,
        Optional.of(shift.map(own -> zip(own, summands, Double::sum)).orElse(summands)),
        steps + 1);
  }

  private static double[] zip(double[] a, double[] b, DoubleBinaryOperator operator) {
    double[] result = new double[a.length];
    Arrays.setAll(result, i -> operator.applyAsDouble(a[i], b[i]));
    return result;
  }

  /** Whether folding leaves fewer operators, and all numbers are finite. */
  boolean isWorthIt() {
    return (scale.isPresent() || steps > 1)
        && scale.filter(all -> !areFinite(all)).isEmpty()
        && shift.filter(all -> !areFinite(all)).isEmpty();
  }

  private static boolean areFinite(double[] numbers) {
    return Arrays.stream(numbers).allMatch(Double::isFinite);
  }

  /** The weights, scaled; the same tensor without a scale. */
  Tensor weights() {
    Tensor from = product.weights().data();
    if (scale.isEmpty()) {
      return from;
    }
    Tensor to = Tensor.zeros(from.dtype(), from.shape());
    long run = product.run();
    for (long begin = 0; begin < from.elementCount(); begin += run) {
      double factor = scale.get()[product.channel(begin)];
      scale(from.segment(), to.segment(), from.dtype(), begin, begin + run, factor);
    }
    return to;
  }

  private static void scale(
      MemorySegment from, MemorySegment to, DType dtype, long begin, long end, double factor) {
    if (dtype.equals(DType.FLOAT32)) {
      for (long i = begin; i < end; i++) {
        double element = from.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i);
        to.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, (float) (element * factor));
      }
    } else {
      for (long i = begin; i < end; i++) {
        double element = from.getAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i);
        to.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i, element * factor);
      }
    }
  }

  /** The shift with an axis for each axis of the result from that of channels on. */
  Tensor bias() {
    double[] numbers = shift.orElseThrow();
    long[] dims = new long[product.ndim() - product.axis()];
    Arrays.fill(dims, 1);
    dims[0] = numbers.length;
    Tensor bias = Tensor.zeros(product.weights().data().dtype(), Shape.of(dims));
    for (int i = 0; i < numbers.length; i++) {
      if (bias.dtype().equals(DType.FLOAT32)) {
        bias.segment().setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, (float) numbers[i]);
      } else {
        bias.segment().setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i, numbers[i]);
      }
    }
    return bias;
  }
}
