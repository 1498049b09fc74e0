package org.relaxvm.backendcuda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Float8;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcuda.emulation.NeedsHostCompiler;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.op.BinaryOps;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.scalar.FloatRounding;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;

/**
 * GEMMs in blocks, of which slices come while others are multiplied: by registers, and by tensor
 * cores, instruction by instruction. Blocks are full, cut off, and more than one. GEMMs of few
 * rows, whose work-items share the depth.
 */
class EmulatedGemmTest {
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

  /** Rows are few; weights lie along the columns, or along the depth. */
  @ParameterizedTest
  @CsvSource({
    "float32, 1, 70, 130, false, 1e-6",
    "float32, 1, 300, 100, true, 1e-6",
    "float32, 7, 67, 72, true, 1e-6",
    "float16, 1, 128, 96, false, 1e-3",
    "float16, 3, 203, 61, true, 1e-3",
    "bfloat16, 5, 71, 64, false, 8e-3",
  })
  void aGemmOfFewRowsIsWhatItIs(
      String name, int m, int k, int n, boolean transposed, double tolerance) {
    requireGemm(DType.parse(name), m, k, n, transposed, tolerance);
  }

  @ParameterizedTest
  @CsvSource({
    "float32, 64, 48, 64, 1e-6",
    "float32, 150, 70, 130, 1e-6",
    "float32, 9, 33, 70, 1e-6",
    "float32, 260, 70, 390, 1e-6",
    "float16, 64, 96, 64, 1e-3",
    "float16, 150, 70, 130, 1e-3",
    "float16, 16, 33, 71, 1e-3",
    "float16, 260, 170, 390, 1e-3",
    "bfloat16, 128, 64, 128, 8e-3",
    "bfloat16, 33, 17, 90, 8e-3",
  })
  void aGemmIsWhatItIs(String name, int m, int k, int n, double tolerance) {
    requireGemm(DType.parse(name), m, k, n, false, tolerance);
  }

  private void requireGemm(DType dtype, int m, int k, int n, boolean transposed, double tolerance) {
    float[] a = random(m * k);
    float[] b = random(k * n);
    try (Module module = device.loadModule(image(dtype, m, k, n, transposed));
        Tensor left = onDevice(a, Shape.of(m, k), dtype);
        Tensor right = onDevice(b, transposed ? Shape.of(n, k) : Shape.of(k, n), dtype);
        Tensor result = onDevice(new float[m * n], Shape.of(m, n), dtype)) {
      module.find("product").orElseThrow().invoke(left, right, result).close();
      try (Tensor host = result.toHost()) {
        for (int row = 0; row < m; row++) {
          for (int column = 0; column < n; column++) {
            double sum = 0;
            for (int i = 0; i < k; i++) {
              sum += a[row * k + i] * b[transposed ? column * k + i : i * n + column];
            }
            assertThat((double) element(host, row * n + column))
                .as("row %d, column %d", row, column)
                .isCloseTo(sum, within(tolerance * (1 + Math.abs(sum))));
          }
        }
      }
    }
  }

  /** Results of whole rows of vectors and of others, from an odd address in memory on. */
  @ParameterizedTest
  @CsvSource({
    "float32, 70, 64, 0",
    "float32, 70, 71, 0",
    "float32, 70, 64, 1",
    "float16, 70, 64, 0",
    "float16, 70, 71, 0",
    "float16, 70, 64, 1",
  })
  void aFormulaOfResultsIsPartOfTheGemm(String name, int m, int n, int from) {
    DType dtype = DType.parse(name);
    int k = 9;
    KernelBuilder kernel = new KernelBuilder("product");
    TensorExpr a = kernel.input("A", dtype, List.of(kernel.extent("m"), kernel.extent("k")));
    TensorExpr b = kernel.input("B", dtype, List.of(a.shape().get(1), kernel.extent("n")));
    TensorExpr bias = kernel.input("D", dtype, List.of(b.shape().get(1)));
    TensorExpr other = kernel.input("E", dtype, List.of(a.shape().get(0), b.shape().get(1)));
    TensorExpr gemm = LinearOps.matmul(kernel, "P", a, b, null);
    TensorExpr sum = BinaryOps.add(kernel, "S", gemm, bias);
    PrimFunc function = kernel.build(BinaryOps.add(kernel, "C", sum, other));
    float[] left = random(m * k);
    float[] right = random(k * n);
    float[] added = random(m * n);
    Shape shape = Shape.of(m, n);
    try (Module module = device.loadModule(image(function));
        Tensor leftThere = onDevice(left, Shape.of(m, k), dtype);
        Tensor rightThere = onDevice(right, Shape.of(k, n), dtype);
        Tensor biasThere = onDevice(Arrays.copyOf(right, n), Shape.of(n), dtype);
        Tensor otherThere = onDevice(added, shape, dtype);
        Tensor memory = onDevice(new float[m * n + from + 1], Shape.of(m * n + from + 1), dtype);
        Tensor result = memory.stridedView(shape, new long[] {n, 1}, from)) {
      module
          .find("product")
          .orElseThrow()
          .invoke(leftThere, rightThere, biasThere, otherThere, result)
          .close();
      try (Tensor host = memory.toHost()) {
        for (int i = 0; i < m * n; i++) {
          double expected = right[i % n] + added[i];
          for (int j = 0; j < k; j++) {
            expected += left[i / n * k + j] * right[j * n + i % n];
          }
          assertThat((double) element(host, i + from))
              .as("element %d", i)
              .isCloseTo(expected, within(dtype.equals(DType.FLOAT32) ? 1e-4 : 0.1));
        }
        for (int i = 0; i < from; i++) {
          assertThat(element(host, i)).isZero();
        }
        assertThat(element(host, m * n + from)).isZero();
      }
    }
  }

  /** Operands lie along the depth, or along rows and columns; full, cut off, and several blocks. */
  @ParameterizedTest
  @CsvSource({
    "float8_e4m3fn, 64, 128, 64, false, false, float32",
    "float8_e4m3fn, 150, 70, 130, false, true, float32",
    "float8_e4m3fn, 33, 96, 71, true, false, float16",
    "float8_e4m3fn, 64, 33, 64, true, true, bfloat16",
    "float8_e5m2, 128, 64, 128, false, true, float32",
    "float8_e5m2, 33, 17, 90, false, false, float16",
  })
  void aGemmOfFloatsOfEightBitsIsWhatItIs(
      String name,
      int m,
      int k,
      int n,
      boolean rowsTransposed,
      boolean columnsAsRows,
      String resultName) {
    DType dtype = DType.parse(name);
    DType resultType = DType.parse(resultName);
    byte[] a = randomBytes(m * k, dtype);
    byte[] b = randomBytes(k * n, dtype);
    String text =
        """
        @T.prim_func
        def product(A: T.Buffer((%1$s), "%5$s"), B: T.Buffer((%2$s), "%5$s"), C: T.Buffer((%3$d, %4$d), "%6$s")):
            S = T.alloc_buffer((%3$d, %4$d), "float32")
            for i, j, k in T.grid(%3$d, %4$d, %7$d):
                with T.block("S"):
                    v, w, r = T.axis.remap("SSR", [i, j, k])
                    with T.init():
                        S[v, w] = T.float32(0)
                    S[v, w] = S[v, w] + T.float32(A[%8$s]) * T.float32(B[%9$s])
            for i, j in T.grid(%3$d, %4$d):
                with T.block("C"):
                    v, w = T.axis.remap("SS", [i, j])
                    C[v, w] = T.Cast("%6$s", S[v, w])
        """
            .formatted(
                rowsTransposed ? k + ", " + m : m + ", " + k,
                columnsAsRows ? n + ", " + k : k + ", " + n,
                m,
                n,
                dtype,
                resultType,
                k,
                rowsTransposed ? "r, v" : "v, r",
                columnsAsRows ? "w, r" : "r, w");
    ModuleImage image =
        new ModuleImage("tir", List.of("product"), MemorySegment.ofArray(text.getBytes(UTF_8)));
    Float8 format = Float8.of(dtype).orElseThrow();
    try (Module module = device.loadModule(image);
        Tensor hostLeft = Tensor.of(a, dtype, Shape.of(a.length));
        Tensor hostRight = Tensor.of(b, dtype, Shape.of(b.length));
        Tensor left = DeviceTensors.copyTo(hostLeft, allocator, stream);
        Tensor right = DeviceTensors.copyTo(hostRight, allocator, stream);
        Tensor rows = left.reshape(rowsTransposed ? Shape.of(k, m) : Shape.of(m, k));
        Tensor columns = right.reshape(columnsAsRows ? Shape.of(n, k) : Shape.of(k, n));
        Tensor result = onDevice(new float[m * n], Shape.of(m, n), resultType)) {
      module.find("product").orElseThrow().invoke(rows, columns, result).close();
      double[] got = result.toDoubleArray();
      for (int row = 0; row < m; row++) {
        for (int column = 0; column < n; column++) {
          double sum = 0;
          for (int i = 0; i < k; i++) {
            sum +=
                format.toFloat(a[rowsTransposed ? i * m + row : row * k + i])
                    * format.toFloat(b[columnsAsRows ? column * k + i : i * n + column]);
          }
          assertThat(got[row * n + column])
              .as("row %d, column %d", row, column)
              .isEqualTo(FloatRounding.round(resultType, sum) + 0.0);
        }
      }
    }
  }

  /** Quarters, whose products and sums float32 has. */
  private static byte[] randomBytes(int count, DType dtype) {
    Random random = new Random(count);
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = Float8.of(dtype).orElseThrow().ofFloat(random.nextInt(17) / 4f - 2);
    }
    return bytes;
  }

  /** Numbers that all dtypes have, whose products and sums float32 has. */
  private static float[] random(int count) {
    Random random = new Random(count);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextInt(33) / 8f - 2;
    }
    return values;
  }

  private static ModuleImage image(DType dtype, long m, long k, long n, boolean transposed) {
    KernelBuilder kernel = new KernelBuilder("product");
    TensorExpr a = kernel.input("A", dtype, List.of(IntImm.of(m), IntImm.of(k)));
    TensorExpr b =
        kernel.input(
            "B", dtype, List.of(IntImm.of(transposed ? n : k), IntImm.of(transposed ? k : n)));
    return image(
        kernel.build(
            transposed
                ? LinearOps.linear(kernel, "C", a, b, null)
                : LinearOps.matmul(kernel, "C", a, b, null)));
  }

  private static ModuleImage image(PrimFunc function) {
    byte[] text = TirText.print(function).getBytes(UTF_8);
    return new ModuleImage("tir", List.of("product"), MemorySegment.ofArray(text));
  }

  private Tensor onDevice(float[] values, Shape shape, DType dtype) {
    MemorySegment bytes = MemorySegment.ofArray(new byte[values.length * dtype.elementByteSize()]);
    for (int i = 0; i < values.length; i++) {
      if (dtype.equals(DType.FLOAT32)) {
        bytes.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i, values[i]);
      } else {
        bytes.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i, bits(values[i], dtype));
      }
    }
    try (Tensor host = Tensor.of(bytes.toArray(ValueLayout.JAVA_BYTE), dtype, shape)) {
      return DeviceTensors.copyTo(host, allocator, stream);
    }
  }

  private static short bits(float value, DType dtype) {
    return dtype.equals(DType.FLOAT16)
        ? Float.floatToFloat16(value)
        : (short) (Float.floatToRawIntBits(value) >>> 16);
  }

  private static float element(Tensor host, long index) {
    MemorySegment bytes = host.segment();
    if (host.dtype().equals(DType.FLOAT32)) {
      return bytes.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * index);
    }
    short bits = bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * index);
    return host.dtype().equals(DType.FLOAT16)
        ? Float.float16ToFloat(bits)
        : Float.intBitsToFloat(bits << 16);
  }
}
