package org.relaxvm.interoponnx;

import java.util.Arrays;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Runs models of tests on the CPU. */
public final class OnnxRuns {
  private OnnxRuns() {}

  /** The only result of a model, on the host. */
  public static Tensor run(OnnxModels model, Object... inputs) {
    try (VirtualMachine vm =
            VirtualMachine.builder(model.model().compile(OnnxOptions.DEFAULT))
                .device("cpu:0")
                .build();
        Tensor result = vm.function("main").call(inputs).asTensor()) {
      return result.toHost();
    }
  }

  /** The only result of a model as text: dtype, shape, elements. */
  public static String text(OnnxModels model, Object... inputs) {
    return text(run(model, inputs));
  }

  /** A tensor as text: dtype, shape, elements. */
  public static String text(Tensor tensor) {
    String elements =
        tensor.dtype().isFloat()
            ? Arrays.toString(tensor.toDoubleArray())
            : Arrays.toString(tensor.toLongArray());
    return tensor.dtype() + " " + tensor.shape() + " " + elements;
  }

  /** A vector of float32. */
  public static Tensor floats(double... values) {
    return floats(Shape.of(values.length), values);
  }

  /** A tensor of float32. */
  public static Tensor floats(Shape shape, double... values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) values[i];
    }
    return Tensor.of(floats, shape);
  }

  /** A vector of int64. */
  public static Tensor ints(long... values) {
    return Tensor.of(values, Shape.of(values.length));
  }
}
