package org.relaxvm.backendsupport.gpu.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.GemmLimits;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.MatrixUnit;
import org.relaxvm.backendsupport.gpu.ScheduledKernel;
import org.relaxvm.backendsupport.gpu.rules.GpuSchedule;
import org.relaxvm.backendtestkit.corpus.CorpusRun;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.KernelCorpus;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.op.BinaryOps;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;

/** Which GEMMs large blocks are for, of which sizes; they give what the kernels give. */
class GemmRuleTest {
  /**
   * A block with an axis that is summed over; others are no products, and take most of the time.
   */
  private static final Pattern REDUCTION = Pattern.compile("T\\.axis\\.(reduce\\(|remap\\(\"S*R)");

  private static final MatrixUnit UNIT = new MatrixUnit(Set.of(DType.FLOAT16, DType.BFLOAT16));

  private static GpuLimits limits(int slices, int computeUnits) {
    GemmLimits gemmLimits = new GemmLimits(128, slices, 48 << 10, Optional.of(UNIT));
    return new GpuLimits(256, 48 << 10, 32, 16, computeUnits, Optional.of(gemmLimits));
  }

  private static PrimFunc matmul(DType dtype, PrimExpr m, PrimExpr k, PrimExpr n) {
    KernelBuilder kernel = new KernelBuilder("product");
    TensorExpr a = kernel.input("A", dtype, List.of(m, k));
    TensorExpr b = kernel.input("B", dtype, List.of(k, n));
    return kernel.build(LinearOps.matmul(kernel, "C", a, b, null));
  }

  private static ScheduledKernel scheduled(DType dtype, long m, long k, long n, GpuLimits limits) {
    return GpuSchedule.of(matmul(dtype, IntImm.of(m), IntImm.of(k), IntImm.of(n)), limits);
  }

  private static String text(ScheduledKernel scheduled) {
    return TirText.print(scheduled.asKernel());
  }

  @Test
  void gemmsOfTheCorpusAreWhatTheyAre() {
    List<String> wrong = new ArrayList<>();
    int count = 0;
    for (KernelCase kernel : KernelCorpus.kernels()) {
      if (!REDUCTION.matcher(TirText.print(kernel.function())).find()) {
        continue;
      }
      boolean backwards = count % 2 == 0;
      PrimFunc scheduled = GpuSchedule.of(kernel.function(), limits(2 + count % 3, 2)).asKernel();
      if (TirText.print(scheduled).contains("row_slices")) {
        count++;
        Evaluator evaluator = new Evaluator(name -> Optional.empty(), backwards);
        CorpusRun.run(kernel, (function, args) -> evaluator.run(scheduled, args))
            .ifPresent(mismatch -> wrong.add(mismatch.toString()));
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(count).isGreaterThan(10);
  }

  @ParameterizedTest
  @CsvSource({
    "float32, 4096, 4096, 4096, 128, 128",
    "float32, 512, 512, 512, 64, 64",
    "float32, 20, 4096, 8192, 32, 64",
    "float32, 20, 4096, 16384, 32, 128",
    "float16, 4096, 4096, 4096, 128, 128",
    "bfloat16, 512, 512, 512, 64, 64",
    "float16, 8, 4096, 65536, 16, 128",
    "float16, 8, 4096, 4096, 16, 64",
  })
  void blocksAreAsLargeAsResultsAndDeviceLeave(
      String dtype, long m, long k, long n, int rows, int columns) {
    String text = text(scheduled(DType.parse(dtype), m, k, n, limits(2, 100)));

    assertThat(text)
        .contains(
            "row_slices",
            "row_group in T.thread_binding(%d, ".formatted(m / rows + (m % rows == 0 ? 0 : 1)))
        .contains("column_group in T.thread_binding(%d, ".formatted(n / columns));
  }

  @Test
  void accumulatorsInRegistersAreOfRunsThatAreReadAtOnce() {
    String text = text(scheduled(DType.FLOAT32, 4096, 4096, 4096, limits(2, 100)));

    assertThat(text)
        .contains("T.thread_binding(256, thread=\"threadIdx.x\")")
        .contains("row_slices = T.alloc_buffer((2, 16, 132), \"float32\", scope=\"shared\")")
        .contains("sums = T.alloc_buffer((256, 8, 8), \"float32\", scope=\"local\")")
        .contains("T.vectorized(4)");
  }

  @Test
  void operandsOfMatrixUnitsLieAsInMemory() {
    String text = text(scheduled(DType.FLOAT16, 4096, 4096, 4096, limits(2, 100)));

    assertThat(text)
        .contains("T.thread_binding(128, thread=\"threadIdx.x\")")
        .contains("row_slices = T.alloc_buffer((2, 128, 40), \"float16\", scope=\"shared\")")
        .contains("column_slices = T.alloc_buffer((2, 32, 136), \"float16\", scope=\"shared\")")
        .contains("sums = T.alloc_buffer((128, 4, 8, 4), \"float32\", scope=\"local\")");
  }

  @Test
  void asManySlicesAsFitAreKept() {
    assertThat(text(scheduled(DType.FLOAT16, 64, 4096, 64, limits(8, 1))))
        .contains("row_slices = T.alloc_buffer((4, 64, 40)");
  }

  @Test
  void oneOfTheLaunchesHasSomethingToDoWhereExtentsAreNotKnown() {
    KernelBuilder kernel = new KernelBuilder("product");
    TensorExpr a = kernel.input("A", DType.FLOAT32, List.of(kernel.extent("m"), IntImm.of(64)));
    TensorExpr b = kernel.input("B", DType.FLOAT32, List.of(IntImm.of(64), kernel.extent("n")));
    PrimFunc gemm = kernel.build(LinearOps.matmul(kernel, "C", a, b, null));

    ScheduledKernel scheduled = GpuSchedule.of(gemm, limits(2, 100));

    assertThat(scheduled.launches()).hasSize(3);
    assertThat(text(scheduled))
        .contains("T.Select(m < 8, ", "T.Select(not m < 8, ")
        .contains("T.Select(100 <= ", "T.Select(not 100 <= ");
  }

  @Test
  void aFormulaOfTheResultsIsPartOfTheLaunch() {
    KernelBuilder kernel = new KernelBuilder("product");
    TensorExpr a = kernel.input("A", DType.FLOAT32, List.of(IntImm.of(256), IntImm.of(64)));
    TensorExpr b = kernel.input("B", DType.FLOAT32, List.of(IntImm.of(64), IntImm.of(256)));
    TensorExpr bias = kernel.input("D", DType.FLOAT32, List.of(IntImm.of(256)));
    TensorExpr gemm = LinearOps.matmul(kernel, "P", a, b, null);
    TensorExpr sum = BinaryOps.add(kernel, "S", gemm, bias);
    PrimFunc fused = kernel.build(ActivationOps.relu(kernel, "Y", sum));

    ScheduledKernel scheduled = GpuSchedule.of(fused, limits(2, 4));

    assertThat(scheduled.launches()).hasSize(1);
    assertThat(scheduled.temporaries()).isEmpty();
    assertThat(text(scheduled)).contains("row_slices");
  }

  @Test
  void otherDevicesAndOtherNumbersKeepTheirTiles() {
    GpuLimits plain = new GpuLimits(256, 48 << 10, 32, 16, 4);
    assertThat(text(scheduled(DType.FLOAT32, 256, 64, 256, plain))).contains("row_tile");
    assertThat(text(scheduled(DType.INT32, 256, 64, 256, limits(2, 4)))).contains("row_tile");
    assertThat(text(scheduled(DType.FLOAT64, 256, 64, 256, limits(2, 4)))).contains("row_tile");
    assertThat(text(scheduled(DType.FLOAT32, 16, 64, 256, limits(2, 4)))).contains("row_tile");
    GemmLimits little = new GemmLimits(128, 2, 4 << 10, Optional.of(UNIT));
    GpuLimits tiny = new GpuLimits(256, 48 << 10, 32, 16, 4, Optional.of(little));
    assertThat(text(scheduled(DType.FLOAT32, 256, 64, 256, tiny))).doesNotContain("row_slices");
  }
}
