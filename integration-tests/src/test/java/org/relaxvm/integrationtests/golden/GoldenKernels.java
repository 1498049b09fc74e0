package org.relaxvm.integrationtests.golden;

import static org.relaxvm.integrationtests.golden.KernelCall.arg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.spi.Module;

/** The kernels of the golden models, as their sources define them, on the kernel library. */
public final class GoldenKernels {
  private final Module library;

  /** Kernels that call a device's kernel library. */
  public GoldenKernels(Module library) {
    this.library = library;
  }

  /** The kernels of a golden case, by name. */
  public Map<String, PackedFunc> of(String name) {
    return switch (name) {
      case "02-ones-cast-dynamic" -> onesCast();
      case "03-mlp-dynamic-batch" -> mlp();
      case "05-cnn" -> cnn();
      case "06-control-flow" -> controlFlow();
      case "10-ones-cast-fused" -> fusedOnesCast();
      case "11-mlp-fused" -> fusedMlp();
      case "12-cnn-fused" -> fusedCnn();
      default -> throw new IllegalArgumentException(name);
    };
  }

  private Map<String, PackedFunc> onesCast() {
    return Map.of(
        "shape_func", heap(h -> new long[] {0, 0, 4 * h[0] * h[1], 8 * h[0] * h[1]}),
        "ones", call("full", 1L, arg(0)),
        "cast", call("cast", arg(0), arg(1)));
  }

  private Map<String, PackedFunc> fusedOnesCast() {
    return Map.of(
        "shape_func", heap(h -> new long[] {0, 0, 8 * h[0] * h[1]}),
        "fused_ones_cast", call("full", 1L, arg(2)));
  }

  private Map<String, PackedFunc> mlp() {
    Map<String, PackedFunc> kernels = new LinkedHashMap<>();
    kernels.put("shape_func", mlpShapes());
    for (String suffix : new String[] {"", "1", "2"}) {
      kernels.put("matmul" + suffix, matmul(null, "none", 2));
      kernels.put("add" + suffix, call("add", arg(0), arg(1), arg(2)));
      kernels.put("relu" + suffix, call("relu", arg(0), arg(1)));
    }
    kernels.remove("relu2");
    kernels.put("softmax", call("softmax", arg(0), -1L, arg(1)));
    return kernels;
  }

  private Map<String, PackedFunc> fusedMlp() {
    return Map.of(
        "shape_func", mlpShapes(),
        "fused_matmul_add_relu", matmul(arg(2), "relu", 3),
        "fused_matmul1_add1_relu1", matmul(arg(2), "relu", 3),
        "fused_matmul2_add2", matmul(arg(2), "none", 3),
        "softmax", call("softmax", arg(0), -1L, arg(1)));
  }

  private Map<String, PackedFunc> cnn() {
    Map<String, PackedFunc> kernels = cnnTail();
    kernels.put("conv2d", conv2d(1, "none"));
    kernels.put("add", call("add", arg(0), arg(1), arg(2)));
    kernels.put("relu", call("relu", arg(0), arg(1)));
    kernels.put("conv2d1", conv2d(2, "none"));
    kernels.put("relu1", call("relu", arg(0), arg(1)));
    return kernels;
  }

  private Map<String, PackedFunc> fusedCnn() {
    Map<String, PackedFunc> kernels = cnnTail();
    PackedFunc convolution = conv2d(1, "none");
    PackedFunc add = call("add", arg(0), arg(1), arg(2));
    PackedFunc relu = call("relu", arg(0), arg(1));
    kernels.put(
        "fused_conv2d_add_relu",
        (args, result) -> {
          Tensor out = args.tensorAt(3);
          try (Tensor sum = Tensor.zeros(out.dtype(), out.shape());
              Tensor product = Tensor.zeros(out.dtype(), out.shape())) {
            convolution.invoke(args.at(0), args.at(1), product);
            add.invoke(product, args.at(2), sum);
            relu.invoke(sum, out);
          }
        });
    kernels.put("fused_conv2d1_relu1", conv2d(2, "relu"));
    return kernels;
  }

  private Map<String, PackedFunc> cnnTail() {
    Map<String, PackedFunc> kernels = new LinkedHashMap<>();
    kernels.put(
        "max_pool2d",
        call(
            "max_pool2d",
            arg(0),
            Shape.of(2, 2),
            Shape.of(2, 2),
            Shape.of(0, 0, 0, 0),
            Shape.of(1, 1),
            false,
            arg(1)));
    kernels.put("mean", call("mean", arg(0), Shape.of(2, 3), false, arg(1)));
    kernels.put("matmul", matmul(null, "none", 2));
    kernels.put("log_softmax", call("log_softmax", arg(0), -1L, arg(1)));
    return kernels;
  }

  private Map<String, PackedFunc> controlFlow() {
    Map<String, PackedFunc> kernels = new LinkedHashMap<>();
    kernels.put("shape_func", heap(h -> new long[] {0, 4 * h[0]}));
    kernels.put("add", call("add", arg(0), arg(1), arg(2)));
    kernels.put("add1", call("add", arg(0), arg(1), arg(2)));
    kernels.put("subtract", call("subtract", arg(0), arg(1), arg(2)));
    kernels.put("multiply", call("multiply", arg(0), Tensor.scalar(3f), arg(1)));
    kernels.put("multiply1", call("multiply", arg(0), arg(1), arg(2)));
    kernels.put("ones", call("full", 1L, arg(0)));
    kernels.put("less_equal", call("less_equal", arg(0), int32(0), arg(1)));
    kernels.put("subtract1", call("subtract", arg(0), int32(1), arg(1)));
    return kernels;
  }

  private static Tensor int32(int value) {
    return Tensor.of(new int[] {value}, Shape.scalar());
  }

  private PackedFunc matmul(KernelCall.@Nullable Argument bias, String activation, int out) {
    return call("matmul", arg(0), arg(1), bias, false, false, activation, arg(out));
  }

  private PackedFunc conv2d(long stride, String activation) {
    return call(
        "conv2d",
        arg(0),
        arg(1),
        null,
        Shape.of(stride, stride),
        Shape.of(1, 1, 1, 1),
        Shape.of(1, 1),
        1L,
        activation,
        arg(2));
  }

  private PackedFunc mlpShapes() {
    return heap(h -> new long[] {0, 512 * h[0], 256 * h[0], 40 * h[0], 40 * h[0]});
  }

  private PackedFunc call(String kernel, @Nullable Object... arguments) {
    return KernelCall.of(library, kernel, arguments);
  }

  /** A shape function: numbers that are not 0 are stored into the heap, the first ones are read. */
  private static PackedFunc heap(UnaryOperator<long[]> formula) {
    return (args, result) -> {
      MemorySegment heap = args.tensorAt(0).segment();
      long[] values = heap.toArray(ValueLayout.JAVA_LONG);
      long[] sizes = formula.apply(values);
      for (int i = 0; i < sizes.length; i++) {
        if (sizes[i] != 0) {
          heap.setAtIndex(ValueLayout.JAVA_LONG, i, sizes[i]);
        }
      }
    };
  }
}
