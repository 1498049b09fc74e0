package org.relaxvm.backendvulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Module;

/** Arithmetic with the constant 0 gives what IEEE 754 says, and is stored. */
@NeedsVulkan
class ZeroConstantsTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;
  private static final double[] VALUES = {0, -0.0, 1, -3, Double.NaN, INFINITY, -INFINITY};

  private static final String KERNEL =
      """
      # relaxvm tir 1
      @T.prim_func(private=True)
      def computed(X: T.Buffer((n,), "DTYPE"), Y: T.Buffer((n,), "DTYPE")):
          n = T.int64()
          with T.block("root"):
              for i in range(n):
                  with T.block("Y"):
                      v = T.axis.spatial(n, i)
                      T.reads(X[v])
                      T.writes(Y[v])
                      Y[v] = VALUE
      """;

  static Stream<Arguments> operations() {
    return Stream.of("float32", "float64")
        .flatMap(
            dtype ->
                Stream.of(
                    operation(dtype, "X[v] / ZERO", x -> x / 0.0),
                    operation(dtype, "ZERO / X[v]", x -> 0.0 / x),
                    operation(dtype, "X[v] * ZERO", x -> x * 0.0),
                    operation(dtype, "ZERO * X[v]", x -> 0.0 * x),
                    operation(dtype, "X[v] // ZERO", x -> Math.floor(x / 0.0)),
                    operation(dtype, "ZERO / ZERO", x -> Double.NaN),
                    operation(dtype, "X[v] + X[v] * ZERO", x -> x + x * 0.0)));
  }

  private static Arguments operation(String dtype, String text, DoubleUnaryOperator definition) {
    return Arguments.of(dtype, text, definition);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("operations")
  void resultsAreThoseOfTheHost(String dtype, String text, DoubleUnaryOperator definition) {
    String kernel =
        KERNEL.replace("VALUE", text).replace("ZERO", "T.DTYPE(0)").replace("DTYPE", dtype);
    try (Backend backend = new VulkanBackendProvider().open();
        NaiveAllocator allocator = new NaiveAllocator(backend.devices().getFirst())) {
      VulkanDevice device = (VulkanDevice) backend.devices().getFirst();
      try (Module module = device.loadModule(KernelImages.of("computed", kernel));
          var stream = device.openStream();
          Tensor x = DeviceTensors.copyTo(tensor(dtype, VALUES), allocator, stream);
          Tensor y = DeviceTensors.copyTo(tensor(dtype, unwritten()), allocator, stream)) {
        module.find("computed").orElseThrow().call(CallArgs.of(x, y), new CallResult());
        stream.synchronize();
        assertThat(y.toHost().toDoubleArray())
            .containsExactly(Arrays.stream(VALUES).map(definition).toArray());
      }
    }
  }

  /** What no operation gives. */
  private static double[] unwritten() {
    double[] values = new double[VALUES.length];
    Arrays.fill(values, 2.5);
    return values;
  }

  private static Tensor tensor(String dtype, double[] values) {
    if (dtype.equals("float64")) {
      return Tensor.of(values, Shape.of(values.length));
    }
    float[] narrow = new float[values.length];
    for (int i = 0; i < narrow.length; i++) {
      narrow[i] = (float) values[i];
    }
    return Tensor.of(narrow, Shape.of(narrow.length));
  }
}
