package org.relaxvm.interoponnx;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Runs models on the CPU. */
public final class Runs {
  private Runs() {}

  /** What a model gives; the caller closes it. */
  public static Value call(OnnxModel model, OnnxOptions options, @Nullable Object... inputs) {
    try (VirtualMachine vm =
        VirtualMachine.builder(model.compile(options)).device("cpu:0").build()) {
      return vm.function("main").call(inputs);
    }
  }

  /** What a model gives; the caller closes it. */
  public static Value call(OnnxModels model, @Nullable Object... inputs) {
    return call(model.model(), OnnxOptions.DEFAULT, inputs);
  }

  /** The one tensor that a model gives, as {@code dtype[shape] [elements]}. */
  public static String tensor(OnnxModels model, @Nullable Object... inputs) {
    return tensor(model.model(), OnnxOptions.DEFAULT, inputs);
  }

  /** The one tensor that a model gives, as {@code dtype[shape] [elements]}. */
  public static String tensor(OnnxModel model, OnnxOptions options, @Nullable Object... inputs) {
    try (Value result = call(model, options, inputs)) {
      return text(result.object());
    }
  }

  /** All values that a model gives, as {@link #text}. */
  public static String all(OnnxModels model, @Nullable Object... inputs) {
    try (Value result = call(model, inputs)) {
      return text(result.object());
    }
  }

  /** A value: tensors as {@code dtype[shape] [elements]}, tuples of such in parentheses. */
  public static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Tensor tensor -> tensor.dtype() + "" + tensor.shape() + " " + elements(tensor);
      case Tuple tuple ->
          tuple.fields().stream().map(Runs::text).collect(Collectors.joining(", ", "(", ")"));
      default -> String.valueOf(value);
    };
  }

  private static String elements(Tensor tensor) {
    return tensor.dtype().isFloat()
        ? Arrays.toString(tensor.toDoubleArray())
        : Arrays.toString(tensor.toLongArray());
  }
}
