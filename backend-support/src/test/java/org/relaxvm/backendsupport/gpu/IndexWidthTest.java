package org.relaxvm.backendsupport.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.backendsupport.gpu.codegen.KernelSource;
import org.relaxvm.backendsupport.gpu.rules.GpuSchedule;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.text.TirText;

/** Indices have 64 bits exactly when the values of a call need them. */
class IndexWidthTest {
  private static final long LIMIT = 1L << 31;

  private static final String STRIDED =
      """
      @T.prim_func
      def copied(A: T.Buffer((n, 4), "float32", strides=(s, 1)), C: T.Buffer((n, 4), "float32")):
          n = T.int64()
          s = T.int64()
          for i, j in T.grid(n, 4):
              with T.block("C"):
                  v, w = T.axis.remap("SS", [i, j])
                  C[v, w] = A[v, w]
      """;

  private static final String SHIFTED =
      """
      @T.prim_func
      def shifted(A: T.Buffer((n,), "float32"), s: T.int64, C: T.Buffer((n,), "float32")):
          n = T.int64()
          for i in range(n):
              with T.block("C"):
                  v = T.axis.spatial(n, i)
                  C[v] = A[(v + s) % n]
      """;

  /** Products of elements have 64 bits in any case. */
  private static final String DATA =
      """
      @T.prim_func
      def looked_up(A: T.Buffer((n,), "int64"), C: T.Buffer((n,), "int64")):
          n = T.int64()
          for i in range(n):
              with T.block("C"):
                  v = T.axis.spatial(n, i)
                  C[v] = A[v] * A[v]
      """;

  /** Numbers that are computed with may be as large as they like. */
  private static final String LARGE_NUMBERS =
      """
      @T.prim_func
      def numbers(A: T.Buffer((n,), "int64"), C: T.Buffer((n,), "int64")):
          n = T.int64()
          for i in range(n):
              with T.block("C"):
                  v = T.axis.spatial(n, i)
                  C[v] = T.max(A[v] * T.int64(5000000000), v * T.int64(6000000000))
      """;

  /** An index with a large number in it. */
  private static final String LARGE_INDEX =
      """
      @T.prim_func
      def index(A: T.Buffer((n,), "float32"), C: T.Buffer((n,), "float32")):
          n = T.int64()
          for i in range(n):
              with T.block("C"):
                  v = T.axis.spatial(n, i)
                  C[v] = A[(v + T.int64(5000000000)) % n]
      """;

  @Test
  void onlyIndicesCount() {
    assertThat(needsWide(LARGE_NUMBERS, Map.of("n", 1000L))).isFalse();
    assertThat(needsWide(LARGE_INDEX, Map.of("n", 1000L))).isTrue();
  }

  @Test
  void manyElementsNeedThem() {
    assertThat(needsWide(STRIDED, Map.of("n", 1000L, "s", 4L))).isFalse();
    assertThat(needsWide(STRIDED, Map.of("n", LIMIT / 8, "s", 4L))).isFalse();
    assertThat(needsWide(STRIDED, Map.of("n", LIMIT / 4 + 1, "s", 4L))).isTrue();
    assertThat(needsWide(DATA, Map.of("n", LIMIT / 2))).isFalse();
    assertThat(needsWide(DATA, Map.of("n", LIMIT + 1))).isTrue();
  }

  @Test
  void largeStridesNeedThem() {
    assertThat(needsWide(STRIDED, Map.of("n", 10L, "s", LIMIT / 16))).isFalse();
    assertThat(needsWide(STRIDED, Map.of("n", 10L, "s", LIMIT / 4))).isTrue();
    assertThat(needsWide(STRIDED, Map.of("n", 1L, "s", LIMIT * 8))).isTrue();
    assertThat(needsWide(STRIDED, Map.of("n", 10L, "s", -LIMIT / 4))).isTrue();
  }

  @Test
  void whatIsAddedToAnIndexCounts() {
    assertThat(needsWide(SHIFTED, Map.of("n", 10L, "s", 7L))).isFalse();
    assertThat(needsWide(SHIFTED, Map.of("n", 10L, "s", LIMIT - 5))).isTrue();
  }

  private static boolean needsWide(String text, Map<String, Long> values) {
    PrimFunc kernel = TirText.parse(text, "kernel").getFirst();
    Map<Var, Long> extents = new HashMap<>();
    for (Param param : kernel.params()) {
      switch (param) {
        case Param.OfHandle handle -> throw new AssertionError(handle);
        case Param.OfScalar(Var var) -> put(var, values, extents);
        case Param.OfBuffer(Buffer buffer) -> {
          buffer.shape().forEach(extent -> put(extent, values, extents));
          buffer.strides().forEach(stride -> put(stride, values, extents));
        }
      }
    }
    assertThat(extents).hasSameSizeAs(values);
    ScheduledKernel scheduled = GpuSchedule.of(kernel, new GpuLimits(64, 32 << 10, 1, 16, 2));
    return scheduled.launches().stream()
        .anyMatch(launch -> KernelSource.of(launch).needsWideIndices(extents));
  }

  private static void put(PrimExpr expr, Map<String, Long> values, Map<Var, Long> extents) {
    Long value = values.get(expr.toString());
    if (expr instanceof Var var && value != null) {
      extents.put(var, value);
    }
  }
}
