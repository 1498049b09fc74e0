package org.relaxvm.backendcuda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.spi.CapturedWork;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.backendcuda.cublas.CublasSource;
import org.relaxvm.backendcuda.cublas.FoundLibrary;
import org.relaxvm.backendsupport.gpu.vendorgemm.Gemm;
import org.relaxvm.backendsupport.gpu.vendorgemm.GemmMemory;
import org.relaxvm.tir.analysis.EpilogueFunction;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.text.TirText;

/** Which GEMMs with an epilogue go to cuBLASLt; the results of all are right. */
class CublasLtOnDeviceTest extends CublasFixture {
  private static final Shape SQUARE = Shape.of(64, 64);
  private static final DType F32 = DType.FLOAT32;
  private static final String OFF =
      "\n  what to do: use the project's own kernels with -Drelaxvm.cuda.cublasLt=off";

  private void matmul(
      Tensor a,
      Tensor b,
      @Nullable Tensor bias,
      boolean transposedA,
      boolean transposedB,
      String activation,
      Tensor out) {
    device
        .library()
        .find("relaxvm.matmul")
        .orElseThrow()
        .call(CallArgs.of(a, b, bias, transposedA, transposedB, activation, out), new CallResult());
  }

  private static DoubleUnaryOperator function(String activation) {
    return switch (activation) {
      case "none" -> x -> x;
      case "relu" -> x -> Math.max(x, 0);
      case "gelu_tanh" ->
          x -> x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x))) / 2;
      case "silu" -> x -> x / (1 + Math.exp(-x));
      default -> throw new IllegalArgumentException(activation);
    };
  }

  /** Operands have the elements of their numbers, and each matrix of a batch is the next one. */
  private static void check(
      Tensor out,
      boolean transposedA,
      boolean transposedB,
      int k,
      DoubleUnaryOperator bias,
      DoubleUnaryOperator function,
      double error) {
    int rank = out.shape().rank();
    int n = (int) out.shape().dim(rank - 1);
    int m = (int) out.shape().dim(rank - 2);
    List<Double> got = content(out);
    for (int i = 0; i < got.size(); i++) {
      int row = i / n % m;
      int column = i % n;
      long matrix = i / n / m;
      double sum = bias.applyAsDouble(column);
      for (int z = 0; z < k; z++) {
        long left = transposedA ? (long) z * m + row : (long) row * k + z;
        long right = transposedB ? (long) column * k + z : (long) z * n + column;
        sum += element(matrix * m * k + left) * element(matrix * k * n + right);
      }
      double expected = function.applyAsDouble(sum);
      assertThat(got.get(i))
          .as("element %d", i)
          .isCloseTo(expected, within(error * (1 + Math.abs(expected))));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "float32, 64, 80, 72, false, false, 72, relu, 1, 1e-6",
    "float32, 64, 80, 72, true, false, 72, none, 1, 1e-6",
    "float32, 64, 80, 72, false, true, '', relu, 1, 1e-6",
    "float64, 65, 80, 71, true, true, 71, relu, 1, 1e-12",
    "float16, 64, 80, 72, false, false, 1;72, relu, 1, 1e-3",
    "float16, 33, 130, 90, true, true, 90, none, 1, 1e-3",
    "bfloat16, 64, 80, 72, false, true, 72, relu, 1, 8e-3",
    // The library does not take these epilogues or sizes.
    "float32, 64, 64, 64, false, false, 64, silu, 0, 1e-5",
    "float32, 64, 64, 64, false, false, 1, relu, 0, 1e-6",
    "float32, 64, 64, 64, false, false, 64;1, none, 0, 1e-6",
    "float16, 7, 256, 256, false, false, 256, relu, 0, 1e-3",
  })
  void aFunctionOfTheLibraryIsTheEpilogueOfAGemm(
      String name,
      int m,
      int k,
      int n,
      boolean transposedA,
      boolean transposedB,
      String biasShape,
      String activation,
      int calls,
      double error) {
    DType dtype = DType.parse(name);
    try (Tensor a = operand(dtype, transposedA ? Shape.of(k, m) : Shape.of(m, k));
        Tensor b = operand(dtype, transposedB ? Shape.of(n, k) : Shape.of(k, n));
        Tensor out = empty(dtype, m, n);
        Tensor bias = operand(dtype, biasShape.isEmpty() ? Shape.of(1) : shape(biasShape))) {
      matmul(a, b, biasShape.isEmpty() ? null : bias, transposedA, transposedB, activation, out);

      assertThat(cublas.ltGemms()).isEqualTo(calls);
      assertThat(cublas.gemms()).isZero();
      if (!biasShape.equals("64;1")) {
        boolean alongColumns = biasShape.endsWith(String.valueOf(n));
        check(
            out,
            transposedA,
            transposedB,
            k,
            j -> biasShape.isEmpty() ? 0 : element(alongColumns ? (long) j : 0),
            function(activation),
            error);
      }
    }
  }

  @Test
  void batchesHaveOneBias() {
    Shape batch = Shape.of(3, 64, 64);
    try (Tensor a = operand(F32, batch);
        Tensor b = operand(F32, batch);
        Tensor bias = operand(F32, Shape.of(64));
        Tensor out = empty(F32, 3, 64, 64)) {
      matmul(a, b, bias, false, false, "relu", out);

      check(out, false, false, 64, j -> element((long) j), function("relu"), 1e-6);
      assertThat(cublas.ltGemms()).isEqualTo(1);
    }
  }

  @Test
  void anAlgorithmIsChosenOncePerFormAndAlignment() {
    try (Tensor a = operand(F32, SQUARE);
        Tensor all = operand(F32, Shape.of(65));
        Tensor bias = all.slice(0, 0, 64);
        Tensor far = all.slice(0, 1, 65);
        Tensor out = empty(F32, 64, 64)) {
      for (int i = 0; i < 3; i++) {
        matmul(a, a, bias, false, false, "none", out);
      }
      check(out, false, false, 64, j -> element((long) j), x -> x, 1e-6);
      assertThat(cublas.plans()).isEqualTo(1);

      matmul(a, a, far, false, false, "none", out);
      check(out, false, false, 64, j -> element((long) j + 1), x -> x, 1e-6);
      assertThat(cublas.plans()).isEqualTo(2);
      matmul(a, a, far, false, false, "relu", out);
      matmul(a, a, bias, false, false, "none", out);
      assertThat(cublas.plans()).isEqualTo(3);
      assertThat(cublas.ltGemms()).isEqualTo(6);
    }
  }

  @Test
  void whatItHasNoAlgorithmForIsDoneByOneKernel() {
    try (Tensor a = operand(F32, Shape.of(8, 8));
        Tensor b = operand(F32, Shape.of(8, 4096));
        Tensor out = empty(F32, 8, 4096)) {
      for (int i = 0; i < 2; i++) {
        matmul(a, b, null, false, false, "relu", out);
      }
      check(out, false, false, 8, j -> 0, function("relu"), 1e-6);
      assertThat(cublas.plans()).isEqualTo(1);
      assertThat(cublas.ltGemms()).isZero();
    }
  }

  @Test
  void whatItDoesNotSupportIsDoneByOneKernel() {
    try (Tensor a = operand(F32, SQUARE);
        Tensor out = empty(F32, 64, 64)) {
      matmul(a, a, null, false, false, "relu", out);
      cublas.fail(15);
      matmul(a, a, a.slice(0, 0, 1), false, false, "relu", out);

      check(out, false, false, 64, j -> element((long) j), function("relu"), 1e-6);
      assertThat(cublas.ltGemms()).isEqualTo(1);
    }
  }

  @Test
  void whatFailsIsNamedWithItsFunction() {
    try (Tensor a = operand(F32, SQUARE);
        Tensor out = empty(F32, 64, 64)) {
      cublas.fail(1);
      refuses(a, out, "relu", "cublasLtCreate", "CUBLAS_STATUS_NOT_INITIALIZED");
      cublas.fail(0);
      matmul(a, a, null, false, false, "relu", out);
      cublas.fail(13);
      refuses(a, out, "relu", "cublasLtMatmul", "CUBLAS_STATUS_EXECUTION_FAILED");
      cublas.fail(14);
      try (Tensor bias = a.slice(0, 0, 1)) {
        assertThatThrownBy(() -> matmul(a, a, bias, false, false, "none", out))
            .isInstanceOf(BackendException.class)
            .hasMessage(
                "cublasLtMatmulAlgoGetHeuristic of cuBLASLt failed with"
                    + " CUBLAS_STATUS_INTERNAL_ERROR"
                    + OFF
                    + "\n  at library function relaxvm.matmul");
      }
    }
  }

  private void refuses(Tensor a, Tensor out, String activation, String function, String status) {
    assertThatThrownBy(() -> matmul(a, a, null, false, false, activation, out))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            function
                + " of cuBLASLt failed with "
                + status
                + OFF
                + "\n  at library function relaxvm.matmul");
  }

  @Test
  void aRecordingMultipliesInMemoryOfItsOwn() {
    Gemm gemm = new Gemm(F32, false, false, 64, 64, 64, 1, 0, 0).with(true, EpilogueFunction.RELU);
    try (CudaStream own = (CudaStream) device.openStream();
        Tensor a = operand(F32, SQUARE);
        Tensor bias = operand(F32, Shape.of(64));
        Tensor zero = empty(F32, 64, 64);
        Tensor out = empty(F32, 64, 64)) {
      GemmMemory aside = new GemmMemory(memory(a), memory(a), memory(bias), memory(zero));
      GemmMemory memory = new GemmMemory(memory(a), memory(a), memory(bias), memory(out));
      assertThat(own.multiply("p", gemm, aside)).isTrue();
      long usual = cublas.workspace();
      own.beginCapture();
      assertThat(own.multiply("p", gemm, memory)).isTrue();
      long recorded = cublas.workspace();
      try (CapturedWork work = own.endCapture()) {
        own.multiply("p", gemm, aside);
        assertThat(recorded).isNotZero().isNotEqualTo(usual);
        assertThat(cublas.workspace()).isEqualTo(usual);
        own.synchronize();
        assertThat(content(out)).containsOnly(0.0);

        work.submit(stream);
        stream.synchronize();
        check(out, false, false, 64, j -> element((long) j), function("relu"), 1e-6);
        assertThat(work.size()).isEqualTo(1);
      }
    }
  }

  private static ModuleImage image(DType dtype, Operator operator) {
    byte[] text = TirText.print(fused("product", dtype, operator)).getBytes(UTF_8);
    return new ModuleImage("tir", List.of("product"), MemorySegment.ofArray(text));
  }

  private void kernelGoesThere(DType dtype, Operator operator, String activation, double error) {
    try (Module module = device.loadModule(image(dtype, operator));
        Tensor a = operand(dtype, SQUARE);
        Tensor bias = operand(dtype, Shape.of(64));
        Tensor out = empty(dtype, 64, 64)) {
      module.find("product").orElseThrow().invoke(a, a, bias, out).close();

      check(out, false, false, 64, j -> element((long) j), function(activation), error);
      assertThat(cublas.ltGemms()).isEqualTo(1);
      assertThat(module.originOf("product"))
          .isEqualTo("kernels of the program on cuda:0; large products by cuBLASLt 12.6.4");
    }
  }

  @Test
  void aKernelOfAProgramWithReluGoesThere() {
    kernelGoesThere(F32, ActivationOps::relu, "relu", 1e-6);
  }

  @Test
  void aKernelOfAProgramWithGeluByTanhGoesThere() {
    kernelGoesThere(DType.FLOAT16, ActivationOps::geluTanh, "gelu_tanh", 1e-3);
  }

  @Test
  void aKernelOfAProgramWithAnotherFunctionDoesNot() {
    try (Module module = device.loadModule(image(F32, ActivationOps::silu));
        Tensor a = operand(F32, SQUARE);
        Tensor bias = operand(F32, Shape.of(64));
        Tensor out = empty(F32, 64, 64)) {
      module.find("product").orElseThrow().invoke(a, a, bias, out).close();

      check(out, false, false, 64, j -> element((long) j), function("silu"), 1e-5);
      assertThat(cublas.ltGemms()).isZero();
      assertThat(module.originOf("product")).isEqualTo("kernels of the program on cuda:0");
    }
  }

  @Test
  void withoutItOneKernelDoesAll() {
    CublasSource found = cublas.found(driver);
    reopenWith(new CublasSource(found::find, () -> FoundLibrary.none("none here")));
    try (Tensor a = operand(F32, SQUARE);
        Tensor out = empty(F32, 64, 64)) {
      matmul(a, a, null, false, false, "relu", out);
      check(out, false, false, 64, j -> 0, function("relu"), 1e-6);
      assertThat(cublas.gemms()).isZero();
      matmul(a, a, null, false, false, "none", out);
      assertThat(cublas.gemms()).isEqualTo(1);
    }
    assertThat(device.library().originOf("relaxvm.matmul"))
        .isEqualTo("kernel library of cuda:0; large products by cuBLAS 12.6.4");
  }
}
