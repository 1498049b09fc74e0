package org.relaxvm.backendcuda.cublas;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.vendorgemm.Gemm;
import org.relaxvm.tir.analysis.EpilogueFunction;

/** Row-major GEMMs with an epilogue, by a library that takes columns. */
class CublasLtTest {
  private static final long STREAM = 77;
  private static final int WORKSPACE = 1024;
  private static final int M = 3;
  private static final int N = 5;
  private static final int K = 4;
  private static final int BATCH = 2;

  @TempDir private Path folder;
  private ImitatedCublas imitation;
  private CublasLt library;

  @BeforeEach
  void compileLibrary() throws IOException {
    imitation = ImitatedCublas.compile(folder);
    library = imitation.source(ImitatedCublas.DRIVER).lt().orElseThrow();
  }

  private static double element(int number) {
    return (number * 7 + 3) % 11 - 5;
  }

  private static double at(
      boolean transposed, int row, int column, int rows, int columns, int from) {
    return element(from + (transposed ? column * rows + row : row * columns + column));
  }

  private static MemorySegment elements(Arena arena, DType dtype, int count) {
    MemorySegment memory = arena.allocate((long) count * dtype.elementByteSize(), 256);
    for (int i = 0; i < count; i++) {
      if (dtype.equals(DType.FLOAT32)) {
        memory.setAtIndex(JAVA_FLOAT, i, (float) element(i));
      } else {
        memory.setAtIndex(JAVA_DOUBLE, i, element(i));
      }
    }
    return memory;
  }

  @ParameterizedTest
  @CsvSource({
    "float32, false, false, true, NONE",
    "float32, false, true, true, RELU",
    "float32, true, false, false, RELU",
    "float32, true, true, true, GELU_TANH",
    "float64, false, false, false, GELU_TANH",
    "float64, false, true, true, NONE",
    "float64, true, false, true, RELU",
    "float64, true, true, false, NONE"
  })
  void multipliesInAllLayouts(
      String name,
      boolean transposedA,
      boolean transposedB,
      boolean hasBias,
      EpilogueFunction function) {
    DType dtype = DType.parse(name);
    // All share one b.
    Gemm gemm =
        new Gemm(dtype, transposedA, transposedB, M, N, K, BATCH, M * K, 0).with(hasBias, function);
    try (Arena arena = Arena.ofConfined();
        CublasLt.Handle handle = library.open(WORKSPACE)) {
      MemorySegment workspace = arena.allocate(WORKSPACE, 256);
      MemorySegment c = elements(arena, dtype, BATCH * M * N);
      Addresses at =
          new Addresses(
              elements(arena, dtype, BATCH * M * K).address(),
              elements(arena, dtype, K * N).address(),
              hasBias ? elements(arena, dtype, N).address() : 0,
              c.address());

      handle.prepare(gemm, at).orElseThrow().enqueue(STREAM, workspace.address());

      for (int i = 0; i < BATCH * M * N; i++) {
        double sum = hasBias ? element(i % N) : 0;
        for (int k = 0; k < K; k++) {
          double left = at(transposedA, i / N % M, k, M, K, i / N / M * M * K);
          sum += left * at(transposedB, k, i % N, K, N, 0);
        }
        double expected =
            switch (function) {
              case RELU -> Math.max(sum, 0);
              case GELU_TANH -> {
                double inner = Math.sqrt(2 / Math.PI) * (sum + 0.044715 * sum * sum * sum);
                yield sum * (1 + Math.tanh(inner)) / 2;
              }
              default -> sum;
            };
        double got =
            dtype.equals(DType.FLOAT32)
                ? c.getAtIndex(JAVA_FLOAT, i)
                : c.getAtIndex(JAVA_DOUBLE, i);
        assertThat(got).as("element %d", i).isCloseTo(expected, within(1e-5));
      }
    }
    assertThat(imitation.objects()).isZero();
  }

  @Test
  void knowsTheAlgorithmsOfTheLatestFormsOnly() {
    try (CublasLt.Handle handle = library.open(WORKSPACE)) {
      for (int m = 1; m <= CublasLt.CAPACITY + 1; m++) {
        assertThat(handle.prepare(form(m), new Addresses(256, 512, 0, 1024))).isPresent();
      }
      int perForm = 4;
      assertThat(imitation.objects()).isEqualTo(1 + perForm * CublasLt.CAPACITY);
      assertThat(imitation.plans()).isEqualTo(CublasLt.CAPACITY + 1);

      handle.prepare(form(2), new Addresses(256, 512, 0, 1024));
      assertThat(imitation.plans()).isEqualTo(CublasLt.CAPACITY + 1);
      handle.prepare(form(1), new Addresses(256, 512, 0, 1024));
      assertThat(imitation.plans()).isEqualTo(CublasLt.CAPACITY + 2);
    }
    assertThat(imitation.objects()).isZero();
  }

  private static Gemm form(int m) {
    return new Gemm(DType.FLOAT32, false, false, m, N, K, 1, 0, 0)
        .with(false, EpilogueFunction.RELU);
  }

  @Test
  void leavesNothingBehindWhenItFails() {
    try (CublasLt.Handle handle = library.open(WORKSPACE)) {
      imitation.fail(14);
      assertThatThrownBy(() -> handle.prepare(form(1), new Addresses(256, 512, 0, 1024)))
          .hasMessage(
              "cublasLtMatmulAlgoGetHeuristic of cuBLASLt failed with"
                  + " CUBLAS_STATUS_INTERNAL_ERROR\n  what to do: use the project's own kernels"
                  + " with -Drelaxvm.cuda.cublasLt=off");
      assertThat(imitation.objects()).as("the handle").isEqualTo(1);
      imitation.fail(15);
      assertThat(handle.prepare(form(1), new Addresses(256, 512, 0, 1024))).isEmpty();
      assertThat(imitation.objects()).as("the handle").isEqualTo(1);
    }
  }

  @Test
  void saysItsVersionAndItsFile() {
    assertThat(imitation.source(ImitatedCublas.DRIVER).findLt().state())
        .isEqualTo("cuBLASLt 12.6.4 (" + folder.resolve("libcublas-imitation.so") + ")");
  }
}
