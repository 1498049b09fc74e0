package org.relaxvm.backendvulkan.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendvulkan.KernelImages;
import org.relaxvm.backendvulkan.NeedsVulkan;
import org.relaxvm.backendvulkan.VulkanBackendProvider;
import org.slf4j.LoggerFactory;

/** Functions of floats on a device against those of the evaluator. */
@NeedsVulkan
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MathFunctionsTest {
  private final long seed = Long.getLong("relaxvm.seed", System.nanoTime());
  private Backend backend;
  private Device device;
  private NaiveAllocator allocator;
  private Stream stream;

  @BeforeAll
  void open() {
    LoggerFactory.getLogger(getClass()).info("arguments of -Drelaxvm.seed={}", seed);
    backend = new VulkanBackendProvider().open();
    device = backend.devices().getFirst();
    allocator = new NaiveAllocator(device);
    stream = device.openStream();
  }

  @AfterAll
  void close() {
    stream.close();
    allocator.close();
    backend.close();
  }

  static List<MathFunction> functions() {
    return MathFunction.all();
  }

  @ParameterizedTest
  @MethodSource("functions")
  void float32IsWithinItsUnits(MathFunction function) {
    FloatArguments arguments = FloatArguments.of(function, DType.FLOAT32, new Random(seed));
    double[] got = applied(function, DType.FLOAT32, arguments);
    for (int i = 0; i < got.length; i++) {
      float expected =
          (float) function.definition().applyAsDouble(arguments.first()[i], arguments.second()[i]);
      long units = UnitDistance.of(expected, (float) got[i]);
      check(function, arguments, i, expected, got[i], units <= function.units32());
    }
  }

  @ParameterizedTest
  @MethodSource("functions")
  void float64IsWithinItsUnits(MathFunction function) {
    assumeThat(device.properties().details())
        .as("the device computes with float64")
        .containsEntry("float64", "yes");
    FloatArguments arguments = FloatArguments.of(function, DType.FLOAT64, new Random(seed));
    double[] got = applied(function, DType.FLOAT64, arguments);
    for (int i = 0; i < got.length; i++) {
      double expected =
          function.definition().applyAsDouble(arguments.first()[i], arguments.second()[i]);
      long units = UnitDistance.of(expected, got[i]);
      check(function, arguments, i, expected, got[i], units <= function.units64());
    }
  }

  private static void check(
      MathFunction function,
      FloatArguments arguments,
      int i,
      double expected,
      double got,
      boolean near) {
    if (!near) {
      assertThat(got)
          .as("%s of A[v] = %s, B[v] = %s", function, arguments.first()[i], arguments.second()[i])
          .isEqualTo(expected);
    }
  }

  private double[] applied(MathFunction function, DType dtype, FloatArguments arguments) {
    String text = function.kernel(dtype.toString());
    try (Module module = ((ModuleLoader) device).loadModule(KernelImages.of("applied", text));
        Tensor x = there(arguments.first(), dtype);
        Tensor y = there(arguments.second(), dtype);
        Tensor out = there(new double[arguments.first().length], dtype)) {
      module.find("applied").orElseThrow().invoke(x, y, out).close();
      return out.toHost().toDoubleArray();
    }
  }

  private Tensor there(double[] values, DType dtype) {
    Shape shape = Shape.of(values.length);
    if (dtype.equals(DType.FLOAT64)) {
      return DeviceTensors.copyTo(Tensor.of(values, shape), allocator, stream);
    }
    float[] narrow = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      narrow[i] = (float) values[i];
    }
    return DeviceTensors.copyTo(Tensor.of(narrow, shape), allocator, stream);
  }
}
