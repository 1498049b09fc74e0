package org.relaxvm.tir.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.op.ShapeOps;
import org.relaxvm.tir.op.SliceOps;
import org.relaxvm.tir.op.UnaryOps;
import org.relaxvm.tir.schedule.Schedule;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;

class ReshapePatternTest {
  private static final Var N = Var.index("n");
  private static final Var M = Var.index("m");
  private static final Var P = Var.index("p");

  private static List<PrimExpr> shape(Object... extents) {
    return java.util.Arrays.stream(extents)
        .<PrimExpr>map(e -> e instanceof PrimExpr expr ? expr : IntImm.of((Integer) e))
        .toList();
  }

  private static PrimFunc kernel(
      List<PrimExpr> shape, BiFunction<KernelBuilder, TensorExpr, TensorExpr> op) {
    KernelBuilder k = new KernelBuilder("k");
    return k.build(op.apply(k, k.input("x", DType.FLOAT32, shape)));
  }

  private static boolean matches(
      List<PrimExpr> shape, BiFunction<KernelBuilder, TensorExpr, TensorExpr> op) {
    return ReshapePattern.matches(kernel(shape, op));
  }

  private static boolean reshapes(List<PrimExpr> from, List<PrimExpr> to) {
    return matches(from, (k, x) -> ShapeOps.reshape(k, "y", x, to));
  }

  @Test
  void reshapesOfKnownExtentsMatch() {
    assertThat(reshapes(shape(3, 4), shape(2, 6))).isTrue();
    assertThat(reshapes(shape(12), shape(3, 4))).isTrue();
    assertThat(reshapes(shape(2, 3, 4), shape(4, 3, 2))).isTrue();
    assertThat(reshapes(shape(2, 3, 4), shape(24))).isTrue();
    assertThat(reshapes(shape(1, 3, 1, 4), shape(4, 1, 3))).isTrue();
    assertThat(reshapes(shape(3, 4), shape(3, 4))).isTrue();
  }

  @Test
  void reshapesOfSymbolicExtentsMatch() {
    assertThat(reshapes(shape(N, M), shape(Exprs.mul(N, M)))).isTrue();
    assertThat(reshapes(shape(N, M), shape(M, N))).isTrue();
    assertThat(reshapes(shape(N, 12), shape(N, 3, 4))).isTrue();
    assertThat(reshapes(shape(N, 3, 4), shape(N, 12))).isTrue();
    assertThat(reshapes(shape(N, 4), shape(Exprs.mul(N, 2), 2))).isTrue();
    assertThat(reshapes(shape(N, M, 4), shape(N, 2, Exprs.mul(M, 2)))).isTrue();
  }

  @Test
  void axesOfExtentOneMayComeAndGo() {
    for (List<PrimExpr> matrix : List.of(shape(3, 4), shape(N, M))) {
      assertThat(matches(matrix, (k, x) -> ShapeOps.expandDims(k, "y", x, List.of(0, 2)))).isTrue();
    }
    assertThat(matches(shape(1, N, 1, 4), (k, x) -> ShapeOps.squeeze(k, "y", x, null))).isTrue();
    assertThat(matches(shape(1, 3, 1, 4), (k, x) -> ShapeOps.squeeze(k, "y", x, List.of(0))))
        .isTrue();
  }

  @Test
  void flattenedAxesMatch() {
    for (List<PrimExpr> cube : List.of(shape(2, 3, 4), shape(N, M, 4), shape(N, M, P))) {
      assertThat(matches(cube, (k, x) -> ShapeOps.flatten(k, "y", x))).isTrue();
      assertThat(matches(cube, (k, x) -> ShapeOps.batchFlatten(k, "y", x))).isTrue();
    }
  }

  @Test
  void scalarsMatch() {
    assertThat(reshapes(shape(), shape(1, 1))).isTrue();
    assertThat(reshapes(shape(1), shape())).isTrue();
    assertThat(reshapes(shape(), shape())).isTrue();
  }

  @Test
  void nothingAtAllMatches() {
    assertThat(reshapes(shape(0, 3), shape(2, 0))).isTrue();
  }

  @Test
  void otherOrdersDoNotMatch() {
    for (List<PrimExpr> matrix : List.of(shape(3, 4), shape(N, M))) {
      assertThat(matches(matrix, (k, x) -> ShapeOps.permuteDims(k, "y", x, null))).isFalse();
      assertThat(matches(matrix, (k, x) -> ShapeOps.flip(k, "y", x, 0))).isFalse();
    }
  }

  @Test
  void anAxisOfExtentOneMayMove() {
    assertThat(matches(shape(1, M), (k, x) -> ShapeOps.permuteDims(k, "y", x, null))).isTrue();
  }

  @Test
  void repeatedElementsDoNotMatch() {
    assertThat(matches(shape(4), (k, x) -> ShapeOps.broadcastTo(k, "y", x, shape(3, 4)))).isFalse();
    assertThat(matches(shape(N, 1), (k, x) -> ShapeOps.broadcastTo(k, "y", x, shape(N, M))))
        .isFalse();
  }

  @Test
  void anotherDTypeDoesNotMatch() {
    assertThat(matches(shape(N), (k, x) -> UnaryOps.cast(k, "y", x, DType.FLOAT16))).isFalse();
    assertThat(matches(shape(N), (k, x) -> ActivationOps.relu(k, "y", x))).isFalse();
  }

  private static boolean slices(List<PrimExpr> shape, int begin, long stride) {
    return matches(
        shape,
        (k, x) ->
            SliceOps.stridedSlice(
                k, "y", x, List.of(0), shape(begin), shape(6), List.of(stride), false));
  }

  @Test
  void slicesMatchOnlyWhereTheirElementsAreTheFirstOnes() {
    assertThat(slices(shape(8, 3), 1, 1)).isFalse();
    assertThat(slices(shape(8, 3), 0, 2)).isFalse();
    // The caller finds that there are fewer elements.
    assertThat(slices(shape(8, 3), 0, 1)).isTrue();
    assertThat(
            matches(
                shape(8, 3),
                (k, x) ->
                    SliceOps.stridedSlice(
                        k, "y", x, List.of(1), shape(0), shape(2), List.of(1L), false)))
        .isFalse();
  }

  @Test
  void extentsThatAreNotKnownToFitAreForTheCaller() {
    // The offsets are the same; whether n * m is p * 4 is not known here.
    assertThat(reshapes(shape(N, M), shape(P, 4))).isTrue();
    assertThat(reshapes(shape(N), shape(P))).isTrue();
  }

  @Test
  void theFirstBufferMustBeTheSource() {
    KernelBuilder k = new KernelBuilder("k");
    TensorExpr unused = k.input("unused", DType.FLOAT32, shape(N));
    TensorExpr x = k.input("x", DType.FLOAT32, shape(N, 4));
    assertThat(unused.dtype()).isEqualTo(DType.FLOAT32);
    assertThat(ReshapePattern.matches(k.build(ShapeOps.flatten(k, "y", x)))).isFalse();
    KernelBuilder other = new KernelBuilder("other");
    TensorExpr source = other.input("x", DType.FLOAT32, shape(N, 4));
    other.input("unused", DType.FLOAT32, shape(N));
    assertThat(ReshapePattern.matches(other.build(ShapeOps.flatten(other, "y", source)))).isTrue();
  }

  @Test
  void severalStagesDoNotMatch() {
    assertThat(
            matches(
                shape(N),
                (k, x) -> ShapeOps.flatten(k, "z", ShapeOps.expandDims(k, "y", x, List.of(0)))))
        .isFalse();
  }

  @Test
  void schedulesDoNotMatter() {
    Schedule schedule =
        new Schedule(kernel(shape(3, 4), (k, x) -> ShapeOps.reshape(k, "y", x, shape(2, 6))));
    List<Var> loops = schedule.loops("y");
    Var fused = schedule.fuse(loops.get(0), loops.get(1));
    schedule.split(fused, 5);
    assertThat(TirText.print(schedule.function())).contains("T.where(");
    assertThat(ReshapePattern.matches(schedule.function())).isTrue();
  }

  private static final String COPY =
      """
      # relaxvm tir 1
      @T.prim_func
      def f(A: T.Buffer((4,), "float32"), B: T.Buffer((2, 2), "float32")):
          for i, j in T.grid(2, 2):
              with T.block("B"):
                  v = T.axis.spatial(2, i)
                  w = T.axis.spatial(2, j)
                  B[v, w] = A[v * 2 + w]
      """;

  private static boolean matches(String text) {
    return ReshapePattern.matches(TirText.parse(text, "test").getFirst());
  }

  @Test
  void partsOfACopyDoNotMatch() {
    assertThat(matches(COPY)).isTrue();
    assertThat(matches(COPY.replace("T.grid(2, 2)", "T.grid(2, 1)"))).isFalse();
    assertThat(
            matches(
                COPY.replace("spatial(2, j)", "spatial(1, j)").replace("grid(2, 2)", "grid(2, 1)")))
        .isFalse();
    assertThat(
            matches(COPY.replace("            B[v", "            T.where(i < 1)\n            B[v")))
        .isFalse();
    assertThat(matches(COPY.replace("spatial", "opaque"))).isFalse();
    assertThat(matches(COPY.replace("= A[v * 2 + w]", "= A[v * 2 + w] + T.float32(1)"))).isFalse();
    assertThat(matches(COPY.replace("v * 2 + w", "w * 2 + v"))).isFalse();
  }

  @Test
  void aKernelOfOneBufferDoesNotMatch() {
    assertThat(
            matches(
                COPY.replace("A: T.Buffer((4,), \"float32\"), ", "")
                    .replace("A[v * 2 + w]", "B[v, w]")))
        .isFalse();
  }
}
