package org.relaxvm.backendopencl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
import org.relaxvm.testsupport.Effort;

/** On a device that is a GPU, work-items load and store vectors. */
@NeedsOpenCl
class VectorAccessConformanceTest extends BaseKernelIrConformanceTest {
  private static final int ONE_OF = Effort.chosen().pick(180, 90, 9);

  @Override
  protected BackendUnderTest backendUnderTest() {
    return BackendUnderTest.of(() -> new OpenClBackendProvider(AsGpu::driver));
  }

  /** A few of those whose extents are only known at a call: small ones have no vectors. */
  @Override
  protected boolean includes(KernelCase kernel) {
    return kernel.name().contains("_dynamic")
        && Math.floorMod(kernel.name().hashCode(), ONE_OF) == 0;
  }

  @ParameterizedTest
  @CsvSource({"float16", "bfloat16", "float32", "float64", "int8", "int64"})
  void vectorsStartAnywhereAndEndInPart(String dtype) {
    String text =
        """
        @T.prim_func
        def increased(A: T.Buffer((n,), "DTYPE"), C: T.Buffer((n,), "DTYPE")):
            n = T.int64()
            for i in range(n):
                with T.block("C"):
                    v = T.axis.spatial(n, i)
                    C[v] = A[v] + T.DTYPE(2)
        """
            .replace("DTYPE", dtype);
    try (Backend backend = new OpenClBackendProvider(AsGpu::driver).open()) {
      OpenClDevice device = (OpenClDevice) backend.devices().getFirst();
      try (NaiveAllocator allocator = new NaiveAllocator(device);
          Stream stream = device.openStream();
          Module module = device.loadModule(KernelImages.of("increased", text));
          Tensor zeros =
              DeviceTensors.copyTo(
                  Tensor.zeros(DType.parse(dtype), Shape.of(60)), allocator, stream);
          Tensor there =
              DeviceTensors.copyTo(
                  Tensor.zeros(DType.parse(dtype), Shape.of(60)), allocator, stream);
          Tensor from = zeros.stridedView(Shape.of(37), new long[] {1}, 3);
          Tensor to = there.stridedView(Shape.of(37), new long[] {1}, 5)) {
        module.find("increased").orElseThrow().invoke(from, to).close();
        // In place, too.
        module.find("increased").orElseThrow().invoke(to, to).close();
        for (int i = 0; i < 60; i++) {
          double expected = i < 5 || i >= 42 ? 0 : 4;
          assertThat(there.toHost().doubleAt(i)).as("element " + i).isEqualTo(expected);
        }
      }
    }
  }
}
