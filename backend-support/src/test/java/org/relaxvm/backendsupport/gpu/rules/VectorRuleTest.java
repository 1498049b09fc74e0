package org.relaxvm.backendsupport.gpu.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.ScheduledKernel;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.text.TirText;

/** Which formulas are computed in vectors, and of how many elements. */
class VectorRuleTest {
  private static final GpuLimits LIMITS = new GpuLimits(64, 32 << 10, 32, 16, 2);

  /** A kernel of one formula over {@code i} and {@code j}. */
  private static String scheduled(String n, String m, String dtype, String formula) {
    return scheduled(n, m, dtype, formula, LIMITS);
  }

  private static String scheduled(
      String n, String m, String dtype, String formula, GpuLimits limits) {
    String text =
        """
        @T.prim_func
        def formula(A: T.Buffer((N, M), "DTYPE"), B: T.Buffer((M,), "DTYPE"), D: T.Buffer((N,), "DTYPE"), W: T.Buffer((M, N), "DTYPE"), P: T.Buffer((N,), "int64"), C: T.Buffer((N, M), "DTYPE")):
            n = T.int64()
            m = T.int64()
            for a, b in T.grid(N, M):
                with T.block("C"):
                    i, j = T.axis.remap("SS", [a, b])
                    FORMULA
        """
            .replace("FORMULA", formula)
            .replace("DTYPE", dtype)
            .replace("N", n)
            .replace("M", m);
    ScheduledKernel scheduled = GpuSchedule.of(TirText.parse(text, "kernel").getFirst(), limits);
    assertThat(scheduled.launches()).hasSize(1);
    return TirText.print(scheduled.asKernel());
  }

  @Test
  void aVectorHasTheBytesThatTheDeviceWantsToLoadAtOnce() {
    String formula = "C[i, j] = A[i, j] + A[i, j]";

    assertThat(scheduled("n", "m", "float32", formula)).contains("T.vectorized(4)");
    assertThat(scheduled("n", "m", "float16", formula)).contains("T.vectorized(8)");
    assertThat(scheduled("n", "m", "bfloat16", formula)).contains("T.vectorized(8)");
    assertThat(scheduled("n", "m", "int8", formula)).contains("T.vectorized(16)");
    assertThat(scheduled("n", "m", "float64", formula)).contains("T.vectorized(2)");
    GpuLimits small = new GpuLimits(64, 32 << 10, 32, 4, 2);
    assertThat(scheduled("n", "m", "float32", formula, small)).doesNotContain("vectorized");
  }

  @Test
  void equalTensorsAreOneRunWithATestForItsEnd() {
    assertThat(scheduled("n", "m", "float32", "C[i, j] = A[i, j] + T.float32(1)"))
        .contains("if first + 4 <= n * m:", "for turn in range(n * m - first):")
        .contains("T.unroll(4)");
  }

  @Test
  void wholeVectorsNeedNoTest() {
    assertThat(scheduled("n", "64", "float32", "C[i, j] = A[i, j] * B[j] + D[i]"))
        .contains("T.vectorized(4)")
        .doesNotContain("<=", "turn");
  }

  @Test
  void rowsOfOtherLengthsHaveShorterVectorsOrAnEnd() {
    String formula = "C[i, j] = A[i, j] * B[j] + D[i]";

    assertThat(scheduled("n", "6", "float32", formula)).contains("T.vectorized(2)");
    assertThat(scheduled("n", "7", "float32", formula)).doesNotContain("vectorized");
    assertThat(scheduled("n", "35", "float32", formula))
        .contains("T.vectorized(4)", "first + 4 <= 35");
  }

  @Test
  void fewElementsAreLeftToAsManyWorkItems() {
    String formula = "C[i, j] = A[i, j] + T.float32(1)";

    assertThat(scheduled("8", "16", "float32", formula)).doesNotContain("vectorized");
    assertThat(scheduled("16", "16", "float32", formula)).contains("T.vectorized(2)");
    assertThat(scheduled("32", "16", "float32", formula)).contains("T.vectorized(4)");
  }

  @Test
  void elementsApartAreNotVectors() {
    assertThat(scheduled("n", "m", "float32", "C[i, j] = A[i, j] + W[j, i]"))
        .doesNotContain("vectorized");
    assertThat(scheduled("n", "m", "float32", "C[i, j] = A[i, m - 1 - j]"))
        .doesNotContain("vectorized");
  }

  @Test
  void rowsThatAreLookedUpAreVectors() {
    assertThat(scheduled("n", "64", "float32", "C[i, j] = A[P[i], j]"))
        .contains("T.vectorized(4)", "0 <= P");
  }

  @Test
  void conditionsMustBeTheSameForAWholeVector() {
    assertThat(
            scheduled(
                "n", "64", "float32", "C[i, j] = T.if_then_else(i < 3, A[i, j], T.float32(0))"))
        .contains("T.vectorized(4)", "if i // 16 < 3:");
    assertThat(
            scheduled(
                "n", "64", "float32", "C[i, j] = T.if_then_else(j < 3, A[i, j], T.float32(0))"))
        .doesNotContain("vectorized");
    assertThat(
            scheduled(
                "n", "64", "float32", "C[i, j] = T.Select(A[i, j] < B[j], A[i, j], T.float32(0))"))
        .contains("T.vectorized(4)");
  }

  @Test
  void anElementMayBeReplacedButNotMoved() {
    assertThat(scheduled("n", "64", "float32", "C[i, j] = C[i, j] + A[i, j]"))
        .contains("T.vectorized(4)");
    assertThat(scheduled("n", "64", "float32", "C[i, j] = C[i, 0] + A[i, j]"))
        .doesNotContain("vectorized");
  }

  @Test
  void resultsMayReplaceOperands() {
    PrimFunc kernel =
        TirText.parse(
                """
                @T.prim_func
                def squares(A: T.Buffer((n,), "float32"), C: T.Buffer((n,), "float32")):
                    n = T.int64()
                    for a in range(n):
                        with T.block("C"):
                            i = T.axis.spatial(n, a)
                            C[i] = A[i] * A[i]
                """,
                "kernel")
            .getFirst();
    PrimFunc launches = GpuSchedule.of(kernel, LIMITS).asKernel();
    assertThat(TirText.print(launches)).contains("T.vectorized(4)");
    try (Tensor both = Tensor.of(new float[] {1, 2, 3, 4, 5, 6, 7}, Shape.of(7))) {
      new Evaluator().run(launches, List.of(both, both));

      assertThat(both.toFloatArray()).containsExactly(1, 4, 9, 16, 25, 36, 49);
    }
  }
}
