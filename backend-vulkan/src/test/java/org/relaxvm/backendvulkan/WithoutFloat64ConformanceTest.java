package org.relaxvm.backendvulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseKernelIrConformanceTest;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.Tolerance;

/** On a device without float64, its elements keep their form and are computed in float32. */
@NeedsVulkan
class WithoutFloat64ConformanceTest extends BaseKernelIrConformanceTest {
  private static final int ONE_OF = 12;
  private static final String FLOAT64 = "float64";

  @Override
  protected BackendUnderTest backendUnderTest() {
    return BackendUnderTest.of(() -> new VulkanBackendProvider(LesserDevices::withoutFloat64));
  }

  /** A few of those with float64 are enough: the others do not depend on it. */
  @Override
  protected boolean includes(KernelCase kernel) {
    return kernel.name().contains(FLOAT64) && Math.floorMod(kernel.name().hashCode(), ONE_OF) == 0;
  }

  @Override
  protected Tolerance tolerance(KernelCase kernel) {
    return kernel.tolerance().atLeast(1e-4, 1e-4);
  }

  @Test
  void elementsAreRoundedToFloat32() {
    double[] values = {
      0,
      -0.0,
      1,
      -2.5,
      0.1,
      1e300,
      -1e300,
      1e-300,
      1e-40,
      -3e-45,
      Float.MAX_VALUE,
      Float.MIN_NORMAL,
      Double.MIN_VALUE,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY
    };
    try (Backend backend = new VulkanBackendProvider(LesserDevices::withoutFloat64).open()) {
      VulkanDevice device = (VulkanDevice) backend.devices().getFirst();
      assertThat(device.properties().details())
          .containsEntry(FLOAT64, "stored, computed as float32");
      try (NaiveAllocator allocator = new NaiveAllocator(device);
          Stream stream = device.openStream();
          Module module = device.loadModule(KernelImages.of("copied", COPIED));
          Tensor from =
              DeviceTensors.copyTo(Tensor.of(values, Shape.of(values.length)), allocator, stream);
          Tensor to =
              DeviceTensors.copyTo(
                  Tensor.zeros(DType.FLOAT64, Shape.of(values.length)), allocator, stream)) {
        module.find("copied").orElseThrow().invoke(from, to).close();
        assertThat(to.toHost().toDoubleArray())
            .containsExactly(Arrays.stream(values).map(value -> (float) value).toArray());
      }
    }
  }

  /** The constant is less than float32 has: it becomes negative infinity there. */
  private static final String COPIED =
      """
      @T.prim_func
      def copied(A: T.Buffer((n,), "float64"), B: T.Buffer((n,), "float64")):
          n = T.int64()
          for i in range(n):
              with T.block("B"):
                  v = T.axis.spatial(n, i)
                  B[v] = T.max(A[v], T.float64(-1.7976931348623157e308))
      """;
}
