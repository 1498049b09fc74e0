package org.relaxvm.backendcuda.cublas;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.backendsupport.gpu.vendorgemm.Gemm;
import org.relaxvm.tir.analysis.EpilogueFunction;

/** Matrices that lie row by row are multiplied by a library that takes them column by column. */
class CublasTest {
  private static final long STREAM = 77;
  private static final int M = 3;
  private static final int N = 5;
  private static final int K = 4;
  private static final int BATCH = 2;

  @TempDir private Path folder;
  private ImitatedCublas library;

  @BeforeEach
  void compileLibrary() throws IOException {
    library = ImitatedCublas.compile(folder);
    System.setProperty(Cublas.SETTING, library.file().toString());
  }

  @AfterEach
  void forget() {
    System.clearProperty(Cublas.SETTING);
  }

  private static double element(int number) {
    return (number * 7 + 3) % 11 - 5;
  }

  private static double at(
      boolean transposed, int row, int column, int rows, int columns, int from) {
    return element(from + (transposed ? column * rows + row : row * columns + column));
  }

  @ParameterizedTest
  @CsvSource({
    "float32, false, false",
    "float32, false, true",
    "float32, true, false",
    "float32, true, true",
    "float64, false, false",
    "float64, false, true",
    "float64, true, false",
    "float64, true, true"
  })
  void multipliesInAllLayouts(String name, boolean transposedA, boolean transposedB) {
    DType dtype = DType.parse(name);
    // All share one b.
    Gemm gemm = new Gemm(dtype, transposedA, transposedB, M, N, K, BATCH, M * K, 0);
    try (Arena arena = Arena.ofConfined();
        Cublas.Handle handle = open(arena)) {
      MemorySegment a = elements(arena, dtype, BATCH * M * K);
      MemorySegment b = elements(arena, dtype, K * N);
      MemorySegment c = elements(arena, dtype, BATCH * M * N);

      handle.multiply(gemm, a.address(), b.address(), c.address());

      for (int i = 0; i < BATCH * M * N; i++) {
        double expected = 0;
        for (int k = 0; k < K; k++) {
          double left = at(transposedA, i / N % M, k, M, K, i / N / M * M * K);
          expected += left * at(transposedB, k, i % N, K, N, 0);
        }
        double got =
            dtype.equals(DType.FLOAT32)
                ? c.getAtIndex(JAVA_FLOAT, i)
                : c.getAtIndex(JAVA_DOUBLE, i);
        assertThat(got).as("element %d", i).isEqualTo(expected);
      }
    }
  }

  private static Cublas.Handle open(Arena arena) {
    MemorySegment workspace = arena.allocate(1024, 256);
    Cublas.Handle handle = Cublas.find(ImitatedCublas.DRIVER).library().orElseThrow().open();
    handle.use(STREAM, workspace.address(), 1024);
    return handle;
  }

  private static MemorySegment elements(Arena arena, DType dtype, int count) {
    MemorySegment memory = arena.allocate((long) count * dtype.elementByteSize(), 8);
    for (int i = 0; i < count; i++) {
      if (dtype.equals(DType.FLOAT32)) {
        memory.setAtIndex(JAVA_FLOAT, i, (float) element(i));
      } else {
        memory.setAtIndex(JAVA_DOUBLE, i, element(i));
      }
    }
    return memory;
  }

  @Test
  void whatFailsIsNamed() {
    Gemm gemm = new Gemm(DType.FLOAT32, false, false, M, N, K, 1, 0, 0);
    try (Arena arena = Arena.ofConfined();
        Cublas.Handle handle = open(arena)) {
      library.fail(15);
      assertThatThrownBy(() -> handle.multiply(gemm, 0, 0, 0))
          .isInstanceOf(BackendException.class)
          .hasMessage(
              "cublasGemmStridedBatchedEx of cuBLAS failed with CUBLAS_STATUS_NOT_SUPPORTED\n"
                  + "  what to do: use the project's own kernels with -Drelaxvm.cuda.cublas=off");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "float32, 64, 64, 64, true",
    "float32, 63, 64, 64, false",
    "bfloat16, 8, 4096, 4096, true",
    "float16, 7, 4096, 4096, false",
    "float16, 4096, 7, 4096, false",
    "int32, 64, 64, 64, false",
    "float64, 3000000000, 64, 64, false",
    "float64, 64, 64, 0, false"
  })
  void largeGemmsOfFloatsAreForTheLibrary(String dtype, long m, long n, long k, boolean is) {
    assertThat(Cublas.suits(new Gemm(DType.parse(dtype), false, false, m, n, k, 1, 0, 0)))
        .isEqualTo(is);
  }

  @ParameterizedTest
  @CsvSource({
    "float64, RELU, true",
    "float32, RELU, true",
    "int32, RELU, false",
    "float16, GELU_TANH, true",
    "bfloat16, GELU_TANH, true",
    "float32, GELU_TANH, false",
    "float64, GELU_TANH, false",
    "float16, GELU, false",
    "float16, SILU, false",
    "float16, SIGMOID, false",
    "float16, TANH, false"
  })
  void functionsOfElementsAreForTheLibraryWhereItIsPrecise(
      String dtype, EpilogueFunction function, boolean is) {
    Gemm gemm = new Gemm(DType.parse(dtype), false, false, 64, 64, 64, 1, 0, 0);
    assertThat(Cublas.suits(gemm.with(true, function))).isEqualTo(is);
    assertThat(Cublas.suits(gemm.with(false, function))).isEqualTo(is);
  }
}
