package org.relaxvm.backendsupport.gpu.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.ScheduledKernel;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.op.AttentionOps;
import org.relaxvm.tir.op.BinaryOps;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.op.NormOps;
import org.relaxvm.tir.op.ReductionOps;
import org.relaxvm.tir.op.ShapeOps;
import org.relaxvm.tir.op.SoftmaxOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;

/** Which rule takes what, and how many launches come of it. */
class GpuScheduleTest {
  private static final GpuLimits LIMITS = new GpuLimits(256, 32 << 10, 32, 16, 8);

  private final KernelBuilder kernel = new KernelBuilder("k");

  private TensorExpr input(String name, PrimExpr... shape) {
    return kernel.input(name, DType.FLOAT32, List.of(shape));
  }

  private ScheduledKernel scheduled(TensorExpr output) {
    return GpuSchedule.of(kernel.build(output), LIMITS);
  }

  private static String text(ScheduledKernel scheduled) {
    return TirText.print(scheduled.asKernel());
  }

  @Test
  void softmaxIsOneLaunchThatKeepsTheAccumulatorsOfARowInTheWorkGroup() {
    TensorExpr x = input("X", kernel.extent("n"), kernel.extent("m"));

    ScheduledKernel softmax = scheduled(SoftmaxOps.softmax(kernel, "Y", x, 1));

    assertThat(softmax.launches()).hasSize(1);
    // The powers of a row of unknown length would leave the work-group: they are computed twice.
    assertThat(softmax.temporaries()).isEmpty();
    assertThat(text(softmax)).contains("scope=\"shared\"");
  }

  @Test
  void allReductionsOfALayerNormalizationAreSharedByTheWorkGroup() {
    PrimExpr width = kernel.extent("m");
    TensorExpr x = input("X", kernel.extent("n"), width);
    TensorExpr norm =
        NormOps.layerNorm(
            kernel, "Y", x, input("gamma", width), input("beta", width), List.of(1), 1e-5);

    ScheduledKernel scheduled = scheduled(norm);

    assertThat(scheduled.launches()).hasSize(1);
    assertThat(text(scheduled).split("_parts = ", -1)).as("sums of parts").hasSize(3);
  }

  @Test
  void sumsOfColumnsOfUnknownNumberAreReducedInParts() {
    TensorExpr x = input("X", kernel.extent("n"), kernel.extent("m"));

    ScheduledKernel sums = scheduled(ReductionOps.sum(kernel, "Y", x, List.of(0), false));

    assertThat(text(sums)).contains("_parts");
  }

  @Test
  void sumsOfManyColumnsAreReducedByOneWorkItemEach() {
    TensorExpr x = input("X", kernel.extent("n"), IntImm.of(1 << 20));

    ScheduledKernel sums = scheduled(ReductionOps.sum(kernel, "Y", x, List.of(0), false));

    assertThat(text(sums)).doesNotContain("_parts");
  }

  @Test
  void aGemmWithBiasAndActivationIsOneLaunchForFewRowsOrOneForManyWithoutTemporaries() {
    TensorExpr x = input("X", kernel.extent("n"), IntImm.of(64));
    TensorExpr w = input("W", IntImm.of(64), IntImm.of(128));
    TensorExpr b = input("B", IntImm.of(128));
    TensorExpr gemm = LinearOps.matmul(kernel, "P", x, w, null);
    TensorExpr sum = BinaryOps.add(kernel, "S", gemm, b);

    ScheduledKernel fused = scheduled(ActivationOps.relu(kernel, "Y", sum));

    assertThat(fused.launches()).hasSize(2);
    assertThat(fused.temporaries()).isEmpty();
    assertThat(text(fused)).contains("T.Select(n < 8, ", "sum_parts");
    assertThat(text(fused)).contains("T.Select(not n < 8, ", "row_tile", "column_tile", "sums");
  }

  @Test
  void aGemmOverUnknownDepthStartsInItsOwnLaunches() {
    PrimExpr k = kernel.extent("k");
    TensorExpr a = input("A", kernel.extent("n"), k);
    TensorExpr b = input("B", k, kernel.extent("m"));

    assertThat(scheduled(LinearOps.matmul(kernel, "C", a, b, null)).launches()).hasSize(2);
  }

  @Test
  void aVectorTimesAMatrixIsReducedInParts() {
    TensorExpr x = input("X", IntImm.of(1), IntImm.of(784));
    TensorExpr w = input("W", IntImm.of(784), IntImm.of(64));

    ScheduledKernel gemm = scheduled(LinearOps.matmul(kernel, "Y", x, w, null));

    assertThat(gemm.launches()).hasSize(1);
    assertThat(text(gemm)).contains("sum_parts", "T.thread_binding(256, thread=\"threadIdx.x\")");
  }

  private TensorExpr attention(PrimExpr queries, PrimExpr size, AttentionOps.CausalMask mask) {
    PrimExpr keys = kernel.extent("sk");
    TensorExpr q = input("Q", kernel.extent("b"), queries, IntImm.of(8), IntImm.of(64));
    TensorExpr k = input("K", kernel.extent("b"), keys, IntImm.of(2), IntImm.of(64));
    TensorExpr v = input("V", kernel.extent("b"), keys, IntImm.of(2), size);
    return AttentionOps.attention(kernel, "Y", q, k, v, null, null, mask);
  }

  @Test
  void attentionWithWhatFollowsItIsOneLaunchWithoutTemporaries() {
    TensorExpr attention =
        attention(kernel.extent("sq"), IntImm.of(64), AttentionOps.CausalMask.NONE);

    ScheduledKernel scheduled = scheduled(ActivationOps.relu(kernel, "R", attention));

    assertThat(scheduled.launches()).hasSize(1);
    assertThat(scheduled.temporaries()).isEmpty();
    assertThat(text(scheduled)).contains("largest", "T.thread_binding(256");
  }

  @Test
  void attentionWithAMaskLeavesOutTheKeysThatNoQueryOfAWorkGroupSees() {
    PrimExpr queries = kernel.extent("sq");
    TensorExpr attention = attention(queries, IntImm.of(64), AttentionOps.CausalMask.TOP_LEFT);

    assertThat(text(scheduled(attention)))
        .contains("T.min(sk, row_group * 64 + 63 + 1)")
        .contains("T.Select(weights[");
  }

  @Test
  void attentionOfFewQueriesTakesMoreLaunches() {
    TensorExpr few = attention(IntImm.of(1), IntImm.of(64), AttentionOps.CausalMask.NONE);
    assertThat(scheduled(few).launches()).hasSizeGreaterThan(1);
  }

  @Test
  void attentionOfValuesOfUnknownSizeTakesMoreLaunches() {
    PrimExpr queries = kernel.extent("sq");
    TensorExpr any = attention(queries, kernel.extent("d"), AttentionOps.CausalMask.NONE);
    assertThat(scheduled(any).launches()).hasSizeGreaterThan(1);
  }

  @Test
  void aFormulaOfPartOfAGemmIsALaunchOfItsOwn() {
    TensorExpr x = input("X", IntImm.of(32), IntImm.of(64));
    TensorExpr w = input("W", IntImm.of(64), IntImm.of(32));
    TensorExpr gemm = LinearOps.matmul(kernel, "P", x, w, null);
    List<PrimExpr> half = List.of(IntImm.of(16), IntImm.of(32));

    assertThat(scheduled(kernel.compute("Y", half, gemm::at)).launches()).hasSize(2);
  }

  @Test
  void aTransposeGoesThroughMemoryOfTheWorkGroup() {
    TensorExpr x = input("X", kernel.extent("n"), kernel.extent("m"));

    ScheduledKernel transpose = scheduled(ShapeOps.permuteDims(kernel, "Y", x, null));

    assertThat(transpose.launches()).hasSize(1);
    assertThat(text(transpose)).contains("square");
  }

  @Test
  void smallWorkHasSmallWorkGroups() {
    TensorExpr x = input("X", IntImm.of(3), IntImm.of(4));

    assertThat(text(scheduled(ActivationOps.relu(kernel, "Y", x))))
        .contains("T.thread_binding(16, thread=\"threadIdx.x\")");
  }

  @Test
  void memoryOfTheWorkGroupIsNotUsedWhereThereIsNone() {
    GpuLimits none = new GpuLimits(256, 0, 32, 16, 8);
    Function<KernelBuilder, TensorExpr> gemm =
        k -> {
          TensorExpr a = k.input("A", DType.FLOAT32, List.of(IntImm.of(64), IntImm.of(64)));
          TensorExpr b = k.input("B", DType.FLOAT32, List.of(IntImm.of(64), IntImm.of(64)));
          return LinearOps.matmul(k, "C", a, b, null);
        };

    ScheduledKernel scheduled = GpuSchedule.of(kernel.build(gemm.apply(kernel)), none);

    assertThat(text(scheduled)).doesNotContain("shared");
  }

  private static void refused(String text, String message) {
    assertThatThrownBy(() -> GpuSchedule.of(TirText.parse(text, "kernel").getFirst(), LIMITS))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(message);
  }

  @Test
  void functionsOfTheHostCannotBeCalled() {
    refused(
        """
        @T.prim_func
        def calls(A: T.Buffer((4,), "float32")):
            T.call_packed("host.sort", A)
        """,
        "the kernel calls calls the function host.sort, which runs on the host and not"
            + " on a device");
  }

  @Test
  void arraysOfAWorkItemNeedAKnownSize() {
    refused(
        """
        @T.prim_func
        def large(A: T.Buffer((n,), "float32")):
            n = T.int64()
            with T.block("root"):
                L = T.alloc_buffer((n,), "float32", scope="local")
                for i in range(n):
                    L[i] = A[i]
                for i in range(n):
                    A[i] = L[n - 1 - i]
        """,
        "the kernel large needs an array L of scope local, which must have a known size"
            + " on a device");
  }
}
