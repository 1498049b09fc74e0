package org.relaxvm.backendcuda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;
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
import org.relaxvm.api.spi.StateReport;
import org.relaxvm.backendcuda.cublas.Cublas;
import org.relaxvm.backendcuda.cublas.CublasLt;
import org.relaxvm.backendcuda.cublas.CublasSource;
import org.relaxvm.backendcuda.cublas.FoundLibrary;
import org.relaxvm.backendcuda.cublas.ImitatedCublas;
import org.relaxvm.backendsupport.gpu.vendorgemm.Gemm;
import org.relaxvm.backendsupport.gpu.vendorgemm.GemmMemory;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;

/** Which GEMMs of a device go to cuBLAS; the results of all are right. */
class CublasOnDeviceTest extends CublasFixture {
  private static final Shape SQUARE = Shape.of(64, 64);
  private static final String OFF = "\n  what to do: use the project's own kernels with";

  private void matmul(Tensor a, Tensor b, boolean transposedA, boolean transposedB, Tensor out) {
    device
        .library()
        .find("relaxvm.matmul")
        .orElseThrow()
        .call(CallArgs.of(a, b, null, transposedA, transposedB, "none", out), new CallResult());
  }

  /** Elements of operands are known by their number, counted from {@code from}. */
  private static void check(
      Tensor out,
      boolean transposedA,
      boolean transposedB,
      int k,
      long stepA,
      long stepB,
      double error) {
    Shape shape = out.shape();
    int n = (int) shape.dim(shape.rank() - 1);
    int m = (int) shape.dim(shape.rank() - 2);
    List<Double> got = content(out);
    for (int i = 0; i < got.size(); i++) {
      int row = i / n % m;
      int column = i % n;
      long matrix = i / n / m;
      double sum = 0;
      for (int z = 0; z < k; z++) {
        double left =
            element(matrix * stepA + (transposedA ? (long) z * m + row : (long) row * k + z));
        sum +=
            left * element(matrix * stepB + (transposedB ? (long) column * k + z : z * n + column));
      }
      assertThat(got.get(i))
          .as("element %d", i)
          .isCloseTo(sum, within(error * (1 + Math.abs(sum))));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "float32, 64, 80, 72, false, false, 1, 1e-6",
    "float32, 64, 80, 72, true, false, 1, 1e-6",
    "float32, 64, 80, 72, false, true, 1, 1e-6",
    "float64, 65, 80, 71, true, true, 1, 1e-12",
    "float16, 64, 80, 72, false, false, 1, 1e-3",
    "float16, 33, 130, 90, true, true, 1, 1e-3",
    "bfloat16, 64, 80, 72, false, true, 1, 8e-3",
    "float32, 64, 64, 63, false, false, 0, 1e-6",
    "float16, 7, 256, 256, false, false, 0, 1e-3",
  })
  void aFunctionOfTheLibraryMultiplies(
      String name,
      int m,
      int k,
      int n,
      boolean transposedA,
      boolean transposedB,
      int calls,
      double error) {
    DType dtype = DType.parse(name);
    try (Tensor a = operand(dtype, transposedA ? Shape.of(k, m) : Shape.of(m, k));
        Tensor b = operand(dtype, transposedB ? Shape.of(n, k) : Shape.of(k, n));
        Tensor out = empty(dtype, m, n)) {
      matmul(a, b, transposedA, transposedB, out);

      check(out, transposedA, transposedB, k, 0, 0, error);
      assertThat(cublas.gemms()).isEqualTo(calls);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'3;64;64', '3;64;64', 1",
    "'3;64;64', '64;64', 1",
    "'64;64', '2;2;64;64', 1",
    "'1;64;64', '3;64;64', 1",
    "'2;1;64;64', '1;3;64;64', 0",
  })
  void batchesGoThereWhereMatricesFollowOneAnother(String left, String right, int calls) {
    Shape a = shape(left);
    Shape b = shape(right);
    Shape all = calls == 0 ? Shape.of(2, 3, 64, 64) : a.rank() >= b.rank() ? a : b;
    if (left.startsWith("1;")) {
      all = b;
    }
    try (Tensor first = operand(DType.FLOAT32, a);
        Tensor second = operand(DType.FLOAT32, b);
        Tensor out = empty(DType.FLOAT32, all.toArray())) {
      matmul(first, second, false, false, out);

      if (calls > 0) {
        long stepA = a.elementCount() == 4096 ? 0 : 4096;
        check(out, false, false, 64, stepA, b.elementCount() == 4096 ? 0 : 4096, 1e-6);
      }
      assertThat(cublas.gemms()).isEqualTo(calls);
    }
  }

  @Test
  void partsOfTensorsStartWhereTheyDo() {
    try (Tensor a = operand(DType.FLOAT32, Shape.of(2, 64, 64));
        Tensor second = a.slice(0, 1, 2);
        Tensor b = operand(DType.FLOAT32, Shape.of(1, 64, 64));
        Tensor all = empty(DType.FLOAT32, 2, 64, 64);
        Tensor out = all.slice(0, 1, 2)) {
      matmul(second, b, false, false, out);

      List<Double> got = content(all);
      assertThat(got.subList(0, 4096)).containsOnly(0.0);
      double sum = 0;
      for (int z = 0; z < 64; z++) {
        sum += element(4096 + 64 * 5 + z) * element(64L * z + 9);
      }
      assertThat(got.get(4096 + 64 * 5 + 9)).isCloseTo(sum, within(1e-4));
      assertThat(cublas.gemms()).isEqualTo(1);
    }
  }

  @Test
  void wrongShapesAreRefusedAsEver() {
    try (Tensor a = operand(DType.FLOAT32, SQUARE);
        Tensor out = empty(DType.FLOAT32, 3, 64, 64)) {
      assertThatThrownBy(() -> matmul(a, a, false, false, out))
          .hasMessageContaining(
              "argument #6 'out' must be shape [64, 64] but is shape [3, 64, 64]");
    }
    assertThat(cublas.gemms()).isZero();
  }

  private static ModuleImage image(boolean withMore) {
    KernelBuilder kernel = new KernelBuilder("product");
    List<PrimExpr> shape = List.of(IntImm.of(64), IntImm.of(64));
    TensorExpr a = kernel.input("A", DType.FLOAT16, shape);
    TensorExpr b = kernel.input("B", DType.FLOAT16, shape);
    TensorExpr c = LinearOps.matmul(kernel, "C", a, b, null);
    TensorExpr out = withMore ? kernel.compute("D", shape, i -> Exprs.add(c.at(i), c.at(i))) : c;
    PrimFunc function = kernel.build(out);
    byte[] text = TirText.print(function).getBytes(UTF_8);
    return new ModuleImage("tir", List.of("product"), MemorySegment.ofArray(text));
  }

  @Test
  void aKernelOfAProgramThatIsAGemmGoesThere() {
    try (Module module = device.loadModule(image(false));
        Tensor a = operand(DType.FLOAT16, SQUARE);
        Tensor out = empty(DType.FLOAT16, 64, 64)) {
      module.find("product").orElseThrow().invoke(a, a, out).close();

      check(out, false, false, 64, 0, 0, 1e-3);
      assertThat(cublas.gemms()).isEqualTo(1);
      assertThat(module.originOf("product"))
          .isEqualTo("kernels of the program on cuda:0; large products by cuBLAS 12.6.4");
    }
  }

  @Test
  void aKernelThatDoesMoreDoesNot() {
    try (Module module = device.loadModule(image(true));
        Tensor a = operand(DType.FLOAT16, SQUARE);
        Tensor out = empty(DType.FLOAT16, 64, 64)) {
      module.find("product").orElseThrow().invoke(a, a, out).close();

      assertThat(cublas.gemms()).isZero();
      assertThat(module.originOf("product")).isEqualTo("kernels of the program on cuda:0");
    }
  }

  @Test
  void whoMultipliesIsToldOf() {
    assertThat(device.library().originOf("relaxvm.matmul"))
        .isEqualTo(
            "kernel library of cuda:0; large products by cuBLAS 12.6.4, with bias or relu by"
                + " cuBLASLt 12.6.4");
    assertThat(device.library().originOf("relaxvm.add")).isEqualTo("kernel library of cuda:0");
    assertThat(((StateReport) backend).state())
        .containsEntry("cuBLAS", "cuBLAS 12.6.4 (" + cublas.file() + ")")
        .containsEntry("cuBLASLt", "cuBLASLt 12.6.4 (" + cublas.file() + ")");
  }

  @Test
  void itCanBeSwitchedOff() {
    System.setProperty(Cublas.SETTING, Cublas.OFF);
    try {
      CublasSource off = CublasSource.of(ImitatedCublas.DRIVER);
      off.findLt();
      reopenWith(off);
    } finally {
      System.clearProperty(Cublas.SETTING);
    }
    try (Tensor a = operand(DType.FLOAT32, SQUARE);
        Tensor out = empty(DType.FLOAT32, 64, 64)) {
      matmul(a, a, false, false, out);

      check(out, false, false, 64, 0, 0, 1e-6);
    }
    assertThat(cublas.gemms()).isZero();
    assertThat(device.library().originOf("relaxvm.matmul")).isEqualTo("kernel library of cuda:0");
    assertThat(((StateReport) backend).state())
        .containsEntry("cuBLAS", "none: -Drelaxvm.cuda.cublas=off switches it off")
        .containsEntry("cuBLASLt", "none: -Drelaxvm.cuda.cublas=off switches it off");
  }

  @Test
  void whatFailsIsNamedWithItsFunction() {
    try (Tensor a = operand(DType.FLOAT32, SQUARE);
        Tensor out = empty(DType.FLOAT32, 64, 64)) {
      matmul(a, a, false, false, out);
      cublas.fail(13);
      assertThatThrownBy(() -> matmul(a, a, false, false, out))
          .isInstanceOf(BackendException.class)
          .hasMessage(
              "cublasGemmStridedBatchedEx of cuBLAS failed with CUBLAS_STATUS_EXECUTION_FAILED"
                  + OFF
                  + " -Drelaxvm.cuda.cublas=off\n  at library function relaxvm.matmul");
    }
  }

  @Test
  void aHandleThatCannotBeMadeIsNamed() {
    try (Tensor a = operand(DType.FLOAT32, SQUARE);
        Tensor out = empty(DType.FLOAT32, 64, 64)) {
      cublas.fail(1);
      assertThatThrownBy(() -> matmul(a, a, false, false, out))
          .hasMessageContaining("cublasCreate of cuBLAS failed with CUBLAS_STATUS_NOT_INITIALIZED");
      assertThat(cublas.handles()).isZero();
    }
  }

  @Test
  void aStreamThatIsClosedLeavesItsHandleToTheNextOne() {
    try (Tensor a = operand(DType.FLOAT32, SQUARE);
        Tensor out = empty(DType.FLOAT32, 64, 64)) {
      for (int i = 0; i < 3; i++) {
        matmul(a, a, false, false, out);
      }
      assertThat(cublas.gemms()).isEqualTo(3);
      assertThat(cublas.handles()).isEqualTo(1);
    }
  }

  private static GemmMemory gemmMemory(Tensor a, Tensor b, Tensor out) {
    return new GemmMemory(memory(a), memory(b), null, memory(out));
  }

  @Test
  void aRecordingMultipliesInMemoryOfItsOwn() {
    Gemm gemm = new Gemm(DType.FLOAT32, false, false, 64, 64, 64, 1, 0, 0);
    try (CudaStream own = (CudaStream) device.openStream();
        Tensor a = operand(DType.FLOAT32, SQUARE);
        Tensor zero = empty(DType.FLOAT32, 64, 64);
        Tensor out = empty(DType.FLOAT32, 64, 64)) {
      own.multiply("p", gemm, gemmMemory(a, a, zero));
      long usual = cublas.workspace();
      own.beginCapture();
      own.multiply("p", gemm, gemmMemory(a, a, out));
      long recorded = cublas.workspace();
      try (CapturedWork work = own.endCapture()) {
        own.multiply("p", gemm, gemmMemory(a, a, zero));
        assertThat(recorded).isNotZero().isNotEqualTo(usual);
        assertThat(cublas.workspace()).isEqualTo(usual);
        own.synchronize();
        assertThat(content(out)).containsOnly(0.0);

        work.submit(stream);
        stream.synchronize();
        check(out, false, false, 64, 0, 0, 1e-6);
        assertThat(work.size()).isEqualTo(1);
      }
      own.beginCapture();
      own.multiply("p", gemm, gemmMemory(a, a, out));
    }
  }

  @Test
  void withoutItNothingIsLookedFor() {
    int[] searches = new int[1];
    Supplier<FoundLibrary<CublasLt>> none =
        () -> {
          searches[0]++;
          return FoundLibrary.none("none here");
        };
    reopenWith(new CublasSource(() -> FoundLibrary.none(none.get().absence()), none));
    try (Tensor a = operand(DType.FLOAT32, Shape.of(8, 8));
        Tensor out = empty(DType.FLOAT32, 8, 8)) {
      matmul(a, a, false, false, out);
    }
    assertThat(searches[0]).isZero();
  }
}
