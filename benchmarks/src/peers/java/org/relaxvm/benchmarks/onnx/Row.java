package org.relaxvm.benchmarks.onnx;

import java.util.List;
import java.util.Random;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/**
 * A call that both sides make, on the same float32 values.
 *
 * @param name what is printed, and what the command line selects by
 * @param kernel name in the library of the device
 * @param model the operator of the peer
 * @param inputs what each call of the peer gives, in the order of the model's inputs; contiguous
 * @param output where our result goes; contiguous
 * @param arguments of our kernel
 * @param tolerance how far results may be apart, relative where they are above 1
 */
record Row(
    String name,
    String kernel,
    OnnxModel model,
    List<Tensor> inputs,
    Tensor output,
    Object[] arguments,
    double tolerance) {

  /** Random elements of mean 0 and the deviation given, the same ones for the same extents. */
  static Tensor random(double deviation, long... dims) {
    Shape shape = Shape.of(dims);
    Random random = new Random(shape.elementCount());
    float[] values = new float[Math.toIntExact(shape.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (deviation * random.nextGaussian());
    }
    return Tensor.of(values, shape);
  }

  static Tensor zeros(long... dims) {
    return Tensor.zeros(DType.FLOAT32, Shape.of(dims));
  }
}
