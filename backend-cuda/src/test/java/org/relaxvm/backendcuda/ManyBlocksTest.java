package org.relaxvm.backendcuda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcuda.driver.Axes;
import org.relaxvm.backendcuda.emulation.EmulatedCuda;
import org.relaxvm.backendcuda.emulation.NeedsHostCompiler;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AttentionOps;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.op.ShapeOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;

/**
 * More blocks along y or z than GPUs launch at once: batches of small matrices. Blocks have few
 * threads, as each is a fiber of the host.
 */
class ManyBlocksTest {
  private static final Axes BLOCKS = new Axes(Integer.MAX_VALUE, 65_535, 65_535);
  private static final int BATCH = 70_000;

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
    backend = EmulatedGpu.provider(new EmulatedCuda(1, 8, 0, 32, BLOCKS)).open();
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

  private static PrimExpr imm(int value) {
    return IntImm.of(value);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBatchOfGemmsIsWhatItIs(boolean known) {
    KernelBuilder kernel = new KernelBuilder("kernel");
    PrimExpr b = known ? IntImm.of(BATCH) : kernel.extent("b");
    TensorExpr x = kernel.input("X", DType.FLOAT32, List.of(b, imm(8), imm(2)));
    TensorExpr y = kernel.input("Y", DType.FLOAT32, List.of(b, imm(2), imm(8)));
    float[] left = numbers(BATCH * 16, 7);
    float[] right = numbers(BATCH * 16, 5);
    float[] expected = new float[BATCH * 64];
    for (int i = 0; i < expected.length; i++) {
      int row = i / 64 * 16 + i / 8 % 8 * 2;
      int column = i / 64 * 16 + i % 8;
      expected[i] = left[row] * right[column] + left[row + 1] * right[column + 8];
    }

    float[] got =
        run(
            kernel.build(LinearOps.matmul(kernel, "Z", x, y, null)),
            Shape.of(BATCH, 8, 8),
            Tensor.of(left, Shape.of(BATCH, 8, 2)),
            Tensor.of(right, Shape.of(BATCH, 2, 8)));

    assertThat(got).isEqualTo(expected);
  }

  /** Rows of blocks along y. */
  @Test
  void aHighGemmIsWhatItIs() {
    int rows = 16 * 66_000;
    KernelBuilder kernel = new KernelBuilder("kernel");
    TensorExpr x =
        kernel.input("X", DType.FLOAT32, List.of(kernel.extent("m"), kernel.extent("k")));
    TensorExpr y = kernel.input("Y", DType.FLOAT32, List.of(x.shape().get(1), imm(8)));
    float[] left = numbers(rows, 1009);
    float[] right = numbers(8, 5);
    float[] expected = new float[rows * 8];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = left[i / 8] * right[i % 8];
    }

    float[] got =
        run(
            kernel.build(LinearOps.matmul(kernel, "Z", x, y, null)),
            Shape.of(rows, 8),
            Tensor.of(left, Shape.of(rows, 1)),
            Tensor.of(right, Shape.of(1, 8)));

    assertThat(got).isEqualTo(expected);
  }

  @Test
  void aBatchOfTransposedMatricesIsWhatItIs() {
    KernelBuilder kernel = new KernelBuilder("kernel");
    PrimExpr b = kernel.extent("b");
    TensorExpr x = kernel.input("X", DType.FLOAT32, List.of(b, imm(16), imm(17)));
    float[] values = numbers(BATCH * 16 * 17, 1009);
    float[] expected = new float[values.length];
    for (int i = 0; i < expected.length; i++) {
      int matrix = i / (16 * 17);
      expected[i] = values[matrix * 16 * 17 + i % 16 * 17 + i / 16 % 17];
    }

    float[] got =
        run(
            kernel.build(ShapeOps.permuteDims(kernel, "Z", x, List.of(0, 2, 1))),
            Shape.of(BATCH, 17, 16),
            Tensor.of(values, Shape.of(BATCH, 16, 17)));

    assertThat(got).isEqualTo(expected);
  }

  /** All queries of a batch are alike to one key, and so see its value. */
  @Test
  void aBatchOfAttentionIsWhatItIs() {
    KernelBuilder kernel = new KernelBuilder("kernel");
    PrimExpr b = kernel.extent("b");
    TensorExpr q = kernel.input("Q", DType.FLOAT32, List.of(b, imm(8), imm(1), imm(1)));
    TensorExpr k = kernel.input("K", DType.FLOAT32, List.of(b, imm(2), imm(1), imm(1)));
    TensorExpr v = kernel.input("V", DType.FLOAT32, List.of(b, imm(2), imm(1), imm(2)));
    TensorExpr z =
        AttentionOps.attention(
            kernel, "Z", q, k, v, null, null, AttentionOps.CausalMask.NONE, null);
    float[] queries = new float[BATCH * 8];
    float[] keys = new float[BATCH * 2];
    float[] values = numbers(BATCH * 4, 1009);
    float[] expected = new float[BATCH * 16];
    for (int i = 0; i < BATCH; i++) {
      // Scores of 200 and of -200: all weight is that of one key, of another one from batch to
      // batch.
      keys[2 * i] = i % 3 == 0 ? 200 : -200;
      keys[2 * i + 1] = -keys[2 * i];
    }
    Arrays.fill(queries, 1);
    for (int i = 0; i < expected.length; i++) {
      int matrix = i / 16;
      expected[i] = values[4 * matrix + (matrix % 3 == 0 ? 0 : 2) + i % 2];
    }

    float[] got =
        run(
            kernel.build(z),
            Shape.of(BATCH, 8, 1, 2),
            Tensor.of(queries, Shape.of(BATCH, 8, 1, 1)),
            Tensor.of(keys, Shape.of(BATCH, 2, 1, 1)),
            Tensor.of(values, Shape.of(BATCH, 2, 1, 2)));

    assertThat(got).isEqualTo(expected);
  }

  private static float[] numbers(int count, int modulus) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = i % modulus + 1;
    }
    return values;
  }

  private float[] run(PrimFunc function, Shape shape, Tensor... operands) {
    byte[] text = TirText.print(function).getBytes(UTF_8);
    ModuleImage image = new ModuleImage("tir", List.of("kernel"), MemorySegment.ofArray(text));
    Object[] args = new Object[operands.length + 1];
    for (int i = 0; i < operands.length; i++) {
      args[i] = DeviceTensors.copyTo(operands[i], allocator, stream);
      operands[i].close();
    }
    try (Module module = device.loadModule(image);
        Tensor zeros = Tensor.zeros(DType.FLOAT32, shape);
        Tensor result = DeviceTensors.copyTo(zeros, allocator, stream)) {
      args[operands.length] = result;
      module.find("kernel").orElseThrow().invoke(args).close();
      try (Tensor host = result.toHost()) {
        return host.toFloatArray();
      }
    } finally {
      for (int i = 0; i < operands.length; i++) {
        ((Tensor) args[i]).close();
      }
    }
  }
}
