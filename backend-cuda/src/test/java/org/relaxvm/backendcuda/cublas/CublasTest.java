package org.relaxvm.backendcuda.cublas;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.backendsupport.vendor.Product;

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

  private static double at(boolean turned, int row, int column, int rows, int columns, int from) {
    return element(from + (turned ? column * rows + row : row * columns + column));
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
  void multipliesInAllLayouts(String name, boolean turnedA, boolean turnedB) {
    DType dtype = DType.parse(name);
    // All share one b.
    Product product = new Product(dtype, turnedA, turnedB, M, N, K, BATCH, M * K, 0);
    try (Arena arena = Arena.ofConfined();
        Cublas.Handle handle = open(arena)) {
      MemorySegment a = elements(arena, dtype, BATCH * M * K);
      MemorySegment b = elements(arena, dtype, K * N);
      MemorySegment c = elements(arena, dtype, BATCH * M * N);

      handle.multiply(product, a.address(), b.address(), c.address());

      for (int i = 0; i < BATCH * M * N; i++) {
        double expected = 0;
        for (int k = 0; k < K; k++) {
          double left = at(turnedA, i / N % M, k, M, K, i / N / M * M * K);
          expected += left * at(turnedB, k, i % N, K, N, 0);
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
    Cublas.Handle handle = Cublas.find().library().orElseThrow().open();
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
  void isNotUsedWithADriverOfAnEarlierVersion() {
    Cublas.Found found = Cublas.find();
    assertThat(found.forDriver(12000)).isSameAs(found);
    assertThat(found.forDriver(11080))
        .returns(Optional.empty(), Cublas.Found::library)
        .returns(
            found.library().orElseThrow().version()
                + " ("
                + found.file()
                + ") needs a newer driver, and this one is of CUDA 11\n  what to do: name cuBLAS"
                + " of CUDA 11 with -Drelaxvm.cuda.cublas=",
            Cublas.Found::absence);
  }

  @Test
  void saysItsVersionAndItsFile() {
    Cublas.Found found = Cublas.find();

    assertThat(found.library().orElseThrow().version()).isEqualTo("cuBLAS 12.6.4");
    assertThat(found.state())
        .isEqualTo("cuBLAS 12.6.4 (" + folder.resolve("libcublas-imitation.so") + ")");
  }

  @Test
  void whatFailsIsNamed() {
    Product product = new Product(DType.FLOAT32, false, false, M, N, K, 1, 0, 0);
    try (Arena arena = Arena.ofConfined();
        Cublas.Handle handle = open(arena)) {
      library.fail(15);
      assertThatThrownBy(() -> handle.multiply(product, 0, 0, 0))
          .isInstanceOf(BackendException.class)
          .hasMessage(
              "cublasGemmStridedBatchedEx of cuBLAS failed with CUBLAS_STATUS_NOT_SUPPORTED\n"
                  + "  what to do: use the project's own kernels with -Drelaxvm.cuda.cublas=off");
    }
  }

  @Test
  void theSettingSwitchesItOff() {
    System.setProperty(Cublas.SETTING, Cublas.OFF);

    assertThat(Cublas.find().library()).isEmpty();
    assertThat(Cublas.find().absence()).isEqualTo("-Drelaxvm.cuda.cublas=off switches it off");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    System.setProperty(Cublas.SETTING, "/nowhere/libcublas.so");

    assertThat(Cublas.find().absence())
        .isEqualTo(
            "cuBLAS was not found; own kernels multiply matrices\n"
                + "  looked for: /nowhere/libcublas.so, which -Drelaxvm.cuda.cublas= names (there"
                + " is no such file)\n"
                + "  what to do: install cuBLAS of CUDA 12 or 13, or name its file with"
                + " -Drelaxvm.cuda.cublas=");
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
  void largeProductsOfFloatsAreForTheLibrary(String dtype, long m, long n, long k, boolean is) {
    assertThat(Cublas.suits(new Product(DType.parse(dtype), false, false, m, n, k, 1, 0, 0)))
        .isEqualTo(is);
  }
}
