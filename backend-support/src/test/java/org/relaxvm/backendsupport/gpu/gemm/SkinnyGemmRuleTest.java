package org.relaxvm.backendsupport.gpu.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.ScheduledKernel;
import org.relaxvm.backendsupport.gpu.rules.GpuSchedule;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.op.BinaryOps;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;

/** Which GEMMs of few rows are split how; they give what the kernels give. */
class SkinnyGemmRuleTest {
  private static final GpuLimits LARGE = new GpuLimits(1024, 48 << 10, 32, 16, 132);
  private static final GpuLimits SINGLE = new GpuLimits(256, 32 << 10, 1, 1, 2);
  private static final GpuLimits SMALL = new GpuLimits(8, 1 << 10, 1, 8, 1);
  private static final String MARK = "sum_parts";

  private final KernelBuilder kernel = new KernelBuilder("product");

  private PrimExpr extent(String text) {
    return Character.isDigit(text.charAt(0))
        ? IntImm.of(Long.parseLong(text))
        : kernel.extent(text);
  }

  /** A GEMM of {@code [m, k]} with {@code [k, n]}, or with {@code [n, k]}. */
  private PrimFunc gemm(DType dtype, String m, String k, String n, boolean transposed) {
    PrimExpr rows = extent(m);
    PrimExpr depth = extent(k);
    PrimExpr columns = extent(n);
    TensorExpr a = kernel.input("A", dtype, List.of(rows, depth));
    TensorExpr b =
        kernel.input("B", dtype, transposed ? List.of(columns, depth) : List.of(depth, columns));
    return kernel.build(
        transposed
            ? LinearOps.linear(kernel, "C", a, b, null)
            : LinearOps.matmul(kernel, "C", a, b, null));
  }

  private static String text(ScheduledKernel scheduled) {
    return TirText.print(scheduled.asKernel());
  }

  private String scheduled(String dtype, String m, String k, String n, boolean transposed) {
    return text(GpuSchedule.of(gemm(DType.parse(dtype), m, k, n, transposed), LARGE));
  }

  @ParameterizedTest
  @CsvSource({
    // Weights along the depth: columns of a work-group, and more work-items for fewer work-groups.
    "float32, 1, 4096, 4096, true, 1024, 128, 4",
    "float16, 1, 4096, 4096, true, 1024, 128, 8",
    "float32, 7, 4096, 4096, true, 2048, 64, 4",
    "float32, 1, 4096, 65536, true, 16384, 32, 4",
    "float32, 1, 65536, 16, true, 16, 256, 4",
    "float32, 1, 64, 4096, true, 1024, 32, 4",
    // Weights along the columns: lines of 128 bytes, or of 64 where work-groups are few.
    "float32, 1, 4096, 4096, false, 256, 256, 4",
    "float16, 1, 4096, 4096, false, 128, 256, 8",
    "bfloat16, 7, 4096, 4096, false, 128, 256, 4",
    "float32, 3, 4096, 65536, false, 2048, 256, 4",
    "float32, 1, 64, 65536, false, 2048, 128, 4",
  })
  void workGroupsAreAsManyAsKeepTheDeviceBusy(
      String dtype,
      String m,
      String k,
      String n,
      boolean transposed,
      int workGroups,
      int items,
      int lanes) {
    assertThat(scheduled(dtype, m, k, n, transposed))
        .contains(
            "column_group in T.thread_binding(%d, thread=\"blockIdx.x\")".formatted(workGroups))
        .contains("T.thread_binding(%d, thread=\"threadIdx.x\")".formatted(items))
        .contains("lane in T.vectorized(%d)".formatted(lanes));
  }

  @ParameterizedTest
  @CsvSource({
    "float32, 8, 256, 256", // enough rows for tiles
    "float32, 1, 32, 4096", // too short
    "float32, 1, 128, 16", // too small
    "float32, 4, 4096, 4", // too few results
    "float32, 0, 4096, 4096",
    "float64, 1, 4096, 4096",
    "int32, 1, 4096, 4096",
  })
  void otherGemmsHaveOtherLaunches(String dtype, String m, String k, String n) {
    assertThat(scheduled(dtype, m, k, n, false)).doesNotContain(MARK);
  }

  @Test
  void aDeviceWithoutMemoryOfWorkGroupsHasOtherLaunches() {
    GpuLimits none = new GpuLimits(256, 0, 32, 16, 8);
    PrimFunc gemm = gemm(DType.FLOAT32, "1", "4096", "4096", false);

    assertThat(text(GpuSchedule.of(gemm, none))).doesNotContain(MARK);
  }

  @Test
  void gemmsOfBatchesHaveOtherLaunches() {
    List<PrimExpr> left = List.of(IntImm.of(2), IntImm.of(1), IntImm.of(256));
    List<PrimExpr> right = List.of(IntImm.of(2), IntImm.of(256), IntImm.of(256));
    TensorExpr a = kernel.input("A", DType.FLOAT32, left);
    TensorExpr b = kernel.input("B", DType.FLOAT32, right);
    PrimFunc gemm = kernel.build(LinearOps.matmul(kernel, "C", a, b, null));

    assertThat(text(GpuSchedule.of(gemm, LARGE))).doesNotContain(MARK);
  }

  @Test
  void aVectorIsARowOrAColumn() {
    TensorExpr vector = kernel.input("A", DType.FLOAT32, List.of(IntImm.of(256)));
    List<PrimExpr> square = List.of(IntImm.of(256), IntImm.of(256));
    PrimFunc row =
        kernel.build(
            LinearOps.matmul(kernel, "C", vector, kernel.input("B", DType.FLOAT32, square), null));
    KernelBuilder other = new KernelBuilder("product");
    TensorExpr matrix = other.input("A", DType.FLOAT32, square);
    TensorExpr right = other.input("B", DType.FLOAT32, List.of(IntImm.of(256)));
    PrimFunc column = other.build(LinearOps.matmul(other, "C", matrix, right, null));

    assertThat(text(GpuSchedule.of(row, LARGE))).contains(MARK);
    assertThat(text(GpuSchedule.of(column, LARGE))).contains(MARK);
  }

  @Test
  void whetherThereAreFewRowsIsDecidedByEachCall() {
    ScheduledKernel scheduled =
        GpuSchedule.of(gemm(DType.FLOAT32, "m", "4096", "4096", true), LARGE);

    assertThat(scheduled.launches()).hasSize(2);
    assertThat(text(scheduled)).contains("T.Select(m < 8, 2048, 0)", "T.Select(not m < 8, ");
  }

  @Test
  void aFormulaOfTheResultsIsPartOfTheLaunch() {
    List<PrimExpr> square = List.of(IntImm.of(256), IntImm.of(256));
    TensorExpr a = kernel.input("A", DType.FLOAT16, List.of(IntImm.of(1), IntImm.of(256)));
    TensorExpr b = kernel.input("B", DType.FLOAT16, square);
    TensorExpr bias = kernel.input("D", DType.FLOAT16, List.of(IntImm.of(256)));
    TensorExpr gemm = LinearOps.matmul(kernel, "P", a, b, DType.FLOAT32);
    TensorExpr sum =
        kernel.compute(
            "S", gemm.shape(), i -> Exprs.cast(DType.FLOAT16, gemm.at(i.get(0), i.get(1))));
    PrimFunc fused =
        kernel.build(ActivationOps.relu(kernel, "Y", BinaryOps.add(kernel, "Z", sum, bias)));

    ScheduledKernel scheduled = GpuSchedule.of(fused, LARGE);

    assertThat(scheduled.launches()).hasSize(1);
    assertThat(scheduled.temporaries()).isEmpty();
    assertThat(text(scheduled)).contains(MARK);
  }

  static Stream<Arguments> gemms() {
    return Stream.of(LARGE, SINGLE, SMALL)
        .flatMap(
            limits ->
                Stream.of(
                        "float32, 1, 130, 70",
                        "float32, 3, 67, 72",
                        "float16, 7, 200, 64",
                        "float16, 5, 71, 61",
                        "bfloat16, 2, 64, 100",
                        "float32, 64, 70, 3",
                        "float32, m=0, k=70, n=5",
                        "float32, m=1, k=0, n=5",
                        "float32, m=1, k=1, n=1",
                        "float16, m=7, k=77, n=3",
                        "float32, m=6, k=64, n=40",
                        "float32, m=8, k=20, n=9")
                    .flatMap(
                        shape ->
                            Stream.of(false, true)
                                .map(transposed -> Arguments.of(limits, shape, transposed))));
  }

  /** Inputs are numbers whose products and sums are exact, in whatever order they are added. */
  @ParameterizedTest
  @MethodSource("gemms")
  void launchesComputeWhatTheKernelDoes(GpuLimits limits, String shape, boolean transposed) {
    String[] parts = shape.split(", ");
    DType dtype = DType.parse(parts[0]);
    int[] extents = new int[3];
    String[] names = new String[3];
    for (int i = 0; i < 3; i++) {
      String[] name = parts[i + 1].split("=");
      names[i] = name[0];
      extents[i] = Integer.parseInt(name[name.length - 1]);
    }
    PrimFunc gemm = gemm(dtype, names[0], names[1], names[2], transposed);
    PrimFunc scheduled = GpuSchedule.of(gemm, limits).asKernel();
    assertThat(TirText.print(scheduled)).contains(MARK);

    List<byte[]> inputs =
        List.of(
            eighths(dtype, extents[0] * extents[1], 1), eighths(dtype, extents[1] * extents[2], 2));
    byte[] expected = run(gemm, false, dtype, extents, transposed, inputs);
    assertThat(run(scheduled, false, dtype, extents, transposed, inputs)).isEqualTo(expected);
    assertThat(run(scheduled, true, dtype, extents, transposed, inputs)).isEqualTo(expected);
  }

  /** Sums are added in an order that is always the same, whichever work-item is first. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void resultsAreTheSameInEachRun(boolean transposed) {
    int[] extents = {2, 300, 40};
    PrimFunc gemm = gemm(DType.FLOAT32, "2", "300", "40", transposed);
    PrimFunc scheduled = GpuSchedule.of(gemm, LARGE).asKernel();
    Random random = new Random(3);
    List<byte[]> inputs =
        Stream.of(600, 12000)
            .map(
                count -> {
                  byte[] bytes = new byte[4 * count];
                  MemorySegment segment = MemorySegment.ofArray(bytes);
                  for (int i = 0; i < count; i++) {
                    segment.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i, random.nextFloat());
                  }
                  return bytes;
                })
            .toList();

    assertThat(run(scheduled, true, DType.FLOAT32, extents, transposed, inputs))
        .isEqualTo(run(scheduled, false, DType.FLOAT32, extents, transposed, inputs));
  }

  private static byte[] run(
      PrimFunc kernel,
      boolean backwards,
      DType dtype,
      int[] extents,
      boolean transposed,
      List<byte[]> inputs) {
    int m = extents[0];
    int k = extents[1];
    int n = extents[2];
    byte[] nothing = new byte[m * n * dtype.elementByteSize()];
    try (Tensor a = Tensor.of(inputs.get(0), dtype, Shape.of(m, k));
        Tensor b = Tensor.of(inputs.get(1), dtype, transposed ? Shape.of(n, k) : Shape.of(k, n));
        Tensor c = Tensor.of(nothing, dtype, Shape.of(m, n))) {
      new Evaluator(name -> Optional.empty(), backwards).run(kernel, List.of(a, b, c));
      return c.segment().toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /** Numbers that all dtypes have. */
  private static byte[] eighths(DType dtype, int count, int seed) {
    Random random = new Random(seed);
    byte[] bytes = new byte[count * dtype.elementByteSize()];
    MemorySegment segment = MemorySegment.ofArray(bytes);
    for (int i = 0; i < count; i++) {
      float value = random.nextInt(33) / 8f - 2;
      if (dtype.equals(DType.FLOAT32)) {
        segment.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i, value);
      } else {
        short bits =
            dtype.equals(DType.FLOAT16)
                ? Float.floatToFloat16(value)
                : (short) (Float.floatToRawIntBits(value) >>> 16);
        segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i, bits);
      }
    }
    return bytes;
  }
}
