package org.relaxvm.backendcuda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcuda.emulation.NeedsHostCompiler;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.op.KernelBuilder;
import org.relaxvm.tir.op.TensorExpr;
import org.relaxvm.tir.text.TirText;

/**
 * Products in blocks, of which slices come while others are multiplied: by registers, and by tensor
 * cores, instruction by instruction. Blocks are full, cut off, and more than one.
 */
class EmulatedProductsTest {
  private Backend backend;
  private CudaDevice device;
  private NaiveAllocator allocator;
  private Stream stream;

  @BeforeAll
  static void requireCompiler() {
    NeedsHostCompiler.require();
  }

  @BeforeEach
  void open() {
    backend = EmulatedGpu.provider().open();
    device = (CudaDevice) backend.devices().getFirst();
    allocator = new NaiveAllocator(device);
    stream = device.openStream();
  }

  @AfterEach
  void close() {
    stream.close();
    allocator.close();
    backend.close();
  }

  @ParameterizedTest
  @CsvSource({
    "float32, 64, 48, 64, 1e-4",
    "float32, 150, 70, 130, 1e-4",
    "float32, 9, 33, 70, 1e-4",
    "float16, 64, 96, 64, 2e-2",
    "float16, 150, 70, 130, 2e-2",
    "float16, 16, 33, 71, 2e-2",
    "bfloat16, 128, 64, 128, 2e-1",
    "bfloat16, 33, 17, 90, 2e-1",
  })
  void aProductIsWhatItIs(String name, int m, int k, int n, double tolerance) {
    DType dtype = DType.parse(name);
    float[] a = random(m * k);
    float[] b = random(k * n);
    try (Module module = device.loadModule(image(dtype, m, k, n));
        Tensor left = onDevice(a, Shape.of(m, k), dtype);
        Tensor right = onDevice(b, Shape.of(k, n), dtype);
        Tensor result = onDevice(new float[m * n], Shape.of(m, n), dtype)) {
      module
          .find("product")
          .orElseThrow()
          .call(
              CallArgs.of(StreamContext.of(device, stream), left, right, result),
              new CallResult());
      stream.synchronize();
      try (Tensor host = result.toHost();
          Tensor floats = host.toDType(DType.FLOAT32)) {
        float[] found = floats.toFloatArray();
        for (int row = 0; row < m; row++) {
          for (int column = 0; column < n; column++) {
            double sum = 0;
            for (int i = 0; i < k; i++) {
              sum += a[row * k + i] * b[i * n + column];
            }
            assertThat((double) found[row * n + column])
                .as("row %d, column %d", row, column)
                .isCloseTo(sum, within(tolerance));
          }
        }
      }
    }
  }
}
