package org.relaxvm.tir.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.tir.analysis.OpPattern.BROADCAST;
import static org.relaxvm.tir.analysis.OpPattern.COMM_REDUCE;
import static org.relaxvm.tir.analysis.OpPattern.ELEMWISE;
import static org.relaxvm.tir.analysis.OpPattern.INJECTIVE;
import static org.relaxvm.tir.analysis.OpPattern.OPAQUE;
import static org.relaxvm.tir.analysis.OpPattern.OUT_EWISE_FUSABLE;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.op.AttentionOps;
import org.relaxvm.tir.op.BinaryOps;
import org.relaxvm.tir.op.ConvAttrs;
import org.relaxvm.tir.op.ConvOps;
import org.relaxvm.tir.op.CreationOps;
import org.relaxvm.tir.op.IndexingOps;
import org.relaxvm.tir.op.JoinOps;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.op.NormOps;
import org.relaxvm.tir.op.OrderingOps;
import org.relaxvm.tir.op.PadOps;
import org.relaxvm.tir.op.PoolAttrs;
import org.relaxvm.tir.op.PoolOps;
import org.relaxvm.tir.op.ReductionOps;
import org.relaxvm.tir.op.ScanOps;
import org.relaxvm.tir.op.ScatterOps;
import org.relaxvm.tir.op.ShapeOps;
import org.relaxvm.tir.op.SliceOps;
import org.relaxvm.tir.op.SoftmaxOps;
import org.relaxvm.tir.op.UnaryOps;
import org.relaxvm.tir.op.image.ResizeAttrs;
import org.relaxvm.tir.op.image.ResizeOps;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;

class OpPatternsTest {
  private static final DType F32 = DType.FLOAT32;

  /** An operator on inputs. */
  private interface Op {
    List<TensorExpr> of(KernelBuilder k, List<TensorExpr> inputs);
  }

  private static List<PrimExpr> shape(Object... extents) {
    List<PrimExpr> shape = new ArrayList<>();
    for (Object extent : extents) {
      shape.add(extent instanceof PrimExpr expr ? expr : IntImm.of((Integer) extent));
    }
    return shape;
  }

  private static PrimFunc kernel(DType dtype, List<List<PrimExpr>> shapes, Op op) {
    KernelBuilder k = new KernelBuilder("k");
    List<TensorExpr> inputs = new ArrayList<>();
    for (List<PrimExpr> shape : shapes) {
      inputs.add(k.input("x" + inputs.size(), dtype, shape));
    }
    return k.build(op.of(k, inputs).toArray(TensorExpr[]::new));
  }

  private static OpPattern kind(
      List<List<PrimExpr>> shapes, BiFunction<KernelBuilder, List<TensorExpr>, TensorExpr> op) {
    return OpPatterns.of(kernel(F32, shapes, (k, in) -> List.of(op.apply(k, in))));
  }

  private static final Var N = Var.index("n");
  private static final Var M = Var.index("m");

  /** A matrix of known extents, and one of symbolic ones. */
  private static final List<List<PrimExpr>> MATRICES = List.of(shape(4, 6), shape(N, M));

  private static void requireAll(
      OpPattern expected, BiFunction<KernelBuilder, TensorExpr, TensorExpr> op) {
    for (List<PrimExpr> matrix : MATRICES) {
      assertThat(kind(List.of(matrix), (k, in) -> op.apply(k, in.get(0))))
          .as("extents %s", matrix)
          .isEqualTo(expected);
    }
  }

  private static PrimExpr f(double value) {
    return new FloatImm(F32, value);
  }

  @Test
  void functionsOfSingleElementsAreElementwise() {
    requireAll(ELEMWISE, (k, x) -> ShapeOps.copy(k, "y", x));
    requireAll(ELEMWISE, (k, x) -> ActivationOps.relu(k, "y", x));
    requireAll(ELEMWISE, (k, x) -> ActivationOps.gelu(k, "y", x));
    requireAll(ELEMWISE, (k, x) -> UnaryOps.clip(k, "y", x, f(0), f(6)));
    requireAll(ELEMWISE, (k, x) -> UnaryOps.cast(k, "y", x, DType.FLOAT16));
    requireAll(ELEMWISE, (k, x) -> CreationOps.tril(k, "y", x, IntImm.of(0)));
  }

  @Test
  void tensorsMadeOfNothingAreElementwise() {
    requireAll(ELEMWISE, (k, x) -> CreationOps.full(k, "y", x.shape(), f(3), F32));
    requireAll(
        ELEMWISE, (k, x) -> CreationOps.eye(k, "y", IntImm.of(4), IntImm.of(3), IntImm.of(0), F32));
    requireAll(
        ELEMWISE,
        (k, x) ->
            CreationOps.arange(k, "y", IntImm.of(0), IntImm.of(9), IntImm.of(2), DType.INT64));
  }

  @Test
  void pairsOfOneShapeAreElementwise() {
    for (List<PrimExpr> matrix : MATRICES) {
      assertThat(
              kind(List.of(matrix, matrix), (k, in) -> BinaryOps.add(k, "y", in.get(0), in.get(1))))
          .isEqualTo(ELEMWISE);
    }
  }

  @Test
  void aBiasAddedToAWholeOperandIsElementwise() {
    List<List<List<PrimExpr>>> pairs =
        List.of(
            List.of(shape(4, 6), shape(6)),
            List.of(shape(N, M), shape(M)),
            List.of(shape(M), shape(N, M)),
            List.of(shape(1, M), shape(M)),
            List.of(shape(1, M), shape(1, 1)),
            List.of(shape(N, M), shape()));
    for (List<List<PrimExpr>> shapes : pairs) {
      assertThat(kind(shapes, (k, in) -> BinaryOps.add(k, "y", in.get(0), in.get(1))))
          .as("%s", shapes)
          .isEqualTo(ELEMWISE);
    }
  }

  @Test
  void aChoiceBetweenTensorsOfOneShapeIsElementwise() {
    for (List<PrimExpr> matrix : MATRICES) {
      OpPattern kind =
          kind(
              List.of(matrix, matrix),
              (k, in) ->
                  IndexingOps.where(
                      k, "y", k.input("c", DType.BOOL, matrix), in.get(0), in.get(1)));
      assertThat(kind).isEqualTo(ELEMWISE);
    }
  }

  @Test
  void operandsThatAreAllRepeatedAreBroadcast() {
    assertThat(
            kind(
                List.of(shape(N, 1), shape(1, M)),
                (k, in) -> BinaryOps.add(k, "y", in.get(0), in.get(1))))
        .isEqualTo(BROADCAST);
    assertThat(
            kind(
                List.of(shape(3), shape(4)),
                (k, in) -> LinearOps.outer(k, "y", in.get(0), in.get(1))))
        .isEqualTo(BROADCAST);
    requireAll(BROADCAST, (k, x) -> broadcast(k, x, shape(5, x.shape().get(0), x.shape().get(1))));
    assertThat(kind(List.of(shape()), (k, in) -> broadcast(k, in.get(0), shape(N))))
        .isEqualTo(BROADCAST);
    assertThat(kind(List.of(shape(N, 1)), (k, in) -> broadcast(k, in.get(0), shape(N, M))))
        .isEqualTo(BROADCAST);
  }

  private static TensorExpr broadcast(KernelBuilder k, TensorExpr x, List<PrimExpr> shape) {
    return ShapeOps.broadcastTo(k, "y", x, shape);
  }

  @Test
  void oneHotRowsAreBroadcast() {
    PrimFunc oneHot =
        kernel(
            DType.INT64,
            List.of(shape(N)),
            (k, in) ->
                List.of(CreationOps.oneHot(k, "y", in.get(0), f(1), f(0), IntImm.of(5), -1)));
    assertThat(OpPatterns.of(oneHot)).isEqualTo(BROADCAST);
  }

  @Test
  void choicesOfWhichAllOperandsAreRepeatedAreBroadcast() {
    assertThat(
            kind(
                List.of(shape(1, M), shape(1, M)),
                (k, in) ->
                    IndexingOps.where(
                        k, "y", k.input("c", DType.BOOL, shape(N, 1)), in.get(0), in.get(1))))
        .isEqualTo(BROADCAST);
  }

  @Test
  void reorderedElementsAreInjective() {
    requireAll(INJECTIVE, (k, x) -> ShapeOps.permuteDims(k, "y", x, null));
    requireAll(INJECTIVE, (k, x) -> ShapeOps.flatten(k, "y", x));
    requireAll(INJECTIVE, (k, x) -> ShapeOps.flip(k, "y", x, 1));
    requireAll(INJECTIVE, (k, x) -> ShapeOps.expandDims(k, "y", x, List.of(0)));
    requireAll(INJECTIVE, (k, x) -> ShapeOps.expandDims(k, "y", x, List.of(2)));
    requireAll(INJECTIVE, (k, x) -> ShapeOps.tile(k, "y", x, List.of(2L, 3L)));
    requireAll(INJECTIVE, (k, x) -> ShapeOps.repeat(k, "y", x, 2, 0));
    assertThat(
            kind(
                List.of(shape(N, 1, M)),
                (k, in) -> ShapeOps.squeeze(k, "y", in.get(0), List.of(1))))
        .isEqualTo(INJECTIVE);
    assertThat(
            kind(
                List.of(shape(1, 1, M)),
                (k, in) -> ShapeOps.permuteDims(k, "y", in.get(0), List.of(2, 0, 1))))
        .isEqualTo(INJECTIVE);
  }

  @Test
  void partsOfTensorsAreInjective() {
    for (int begin : new int[] {0, 1}) {
      requireAll(
          INJECTIVE,
          (k, x) ->
              SliceOps.stridedSlice(
                  k, "y", x, List.of(1), shape(begin), shape(4), List.of(1L), false));
    }
    for (List<PrimExpr> matrix : MATRICES) {
      PrimFunc halves =
          kernel(F32, List.of(matrix), (k, in) -> JoinOps.split(k, "y", in.get(0), 2, 1));
      assertThat(OpPatterns.of(halves)).isEqualTo(INJECTIVE);
    }
  }

  @Test
  void joinedTensorsAreInjective() {
    for (List<PrimExpr> matrix : MATRICES) {
      for (int axis = 0; axis < 2; axis++) {
        int along = axis;
        assertThat(kind(List.of(matrix, matrix), (k, in) -> JoinOps.concat(k, "y", in, along)))
            .isEqualTo(INJECTIVE);
        assertThat(kind(List.of(matrix, matrix), (k, in) -> JoinOps.stack(k, "y", in, along)))
            .isEqualTo(INJECTIVE);
      }
    }
  }

  @Test
  void elementsAtComputedIndicesAreInjective() {
    for (List<PrimExpr> matrix : MATRICES) {
      for (IndexingOps.Mode mode :
          List.of(IndexingOps.Mode.FAST, IndexingOps.Mode.WRAP, IndexingOps.Mode.CLIP)) {
        assertThat(
                kind(
                    List.of(matrix),
                    (k, in) ->
                        IndexingOps.take(
                            k, "y", in.get(0), k.input("i", DType.INT64, shape(7)), 0, mode)))
            .isEqualTo(INJECTIVE);
      }
      assertThat(
              kind(
                  List.of(matrix),
                  (k, in) ->
                      IndexingOps.gatherElements(
                          k, "y", in.get(0), k.input("i", DType.INT64, matrix), 1)))
          .isEqualTo(INJECTIVE);
      assertThat(
              kind(
                  List.of(matrix),
                  (k, in) ->
                      IndexingOps.gatherNd(
                          k, "y", in.get(0), k.input("i", DType.INT64, shape(7, 1)), 0)))
          .isEqualTo(INJECTIVE);
    }
  }

  @Test
  void paddingIsInjective() {
    requireAll(INJECTIVE, (k, x) -> PadOps.constant(k, "y", x, List.of(1L, 1L, 0L, 2L), f(0)));
    requireAll(
        INJECTIVE, (k, x) -> PadOps.pad(k, "y", x, List.of(1L, 1L, 0L, 2L), PadOps.Mode.REFLECT));
  }

  @Test
  void imagesInAnotherSizeAreInjective() {
    List<List<PrimExpr>> image = List.of(shape(N, 4, 8, 8));
    ResizeAttrs nearest =
        ResizeAttrs.of(
            "NCHW", ResizeAttrs.Method.NEAREST_NEIGHBOR, ResizeAttrs.Coordinates.HALF_PIXEL);
    assertThat(kind(image, (k, in) -> ResizeOps.resize(k, "y", in.get(0), shape(16, 5), nearest)))
        .isEqualTo(INJECTIVE);
    assertThat(kind(image, (k, in) -> PadOps.pixelShuffle(k, "y", in.get(0), 2)))
        .isEqualTo(INJECTIVE);
  }

  @Test
  void reductionsAreReductions() {
    for (boolean keepDims : new boolean[] {false, true}) {
      for (List<Integer> axes : List.of(List.of(0), List.of(1), List.of(0, 1))) {
        requireAll(COMM_REDUCE, (k, x) -> ReductionOps.sum(k, "y", x, axes, keepDims));
        requireAll(COMM_REDUCE, (k, x) -> ReductionOps.max(k, "y", x, axes, keepDims));
        requireAll(COMM_REDUCE, (k, x) -> ReductionOps.min(k, "y", x, axes, keepDims));
        requireAll(COMM_REDUCE, (k, x) -> ReductionOps.prod(k, "y", x, axes, keepDims));
      }
    }
    requireAll(COMM_REDUCE, (k, x) -> ShapeOps.collapseSum(k, "y", x, shape(1, x.shape().get(1))));
  }

  @Test
  void twoReductionsThatLeaveTheKernelAreReductions() {
    for (List<PrimExpr> matrix : MATRICES) {
      PrimFunc both =
          kernel(
              F32,
              List.of(matrix),
              (k, in) ->
                  List.of(
                      ReductionOps.sum(k, "s", in.get(0), List.of(1), false),
                      ReductionOps.max(k, "m", in.get(0), List.of(1), false)));
      assertThat(OpPatterns.of(both)).isEqualTo(COMM_REDUCE);
    }
  }

  @Test
  void matmulsTakeStagesAfterThem() {
    for (DType dtype : List.of(F32, DType.FLOAT16)) {
      for (List<List<PrimExpr>> shapes :
          List.of(
              List.of(shape(4, 6), shape(6, 5)),
              List.of(shape(N, M), shape(M, 5)),
              List.of(shape(1, 6), shape(6, 5)),
              List.of(shape(N, 1, 4, M), shape(3, M, 5)))) {
        PrimFunc matmul =
            kernel(
                dtype,
                shapes,
                (k, in) -> List.of(LinearOps.matmul(k, "y", in.get(0), in.get(1), null)));
        assertThat(OpPatterns.of(matmul)).as("%s %s", dtype, shapes).isEqualTo(OUT_EWISE_FUSABLE);
      }
    }
    assertThat(
            kind(
                List.of(shape(N, 3, M), shape(N, M, 4)),
                (k, in) -> LinearOps.einsum(k, "y", in, "bij,bjk->bik")))
        .isEqualTo(OUT_EWISE_FUSABLE);
  }

  @Test
  void convolutionsTakeStagesAfterThem() {
    ConvAttrs plain = ConvAttrs.plain(2);
    ConvAttrs transposed = plain.withLayouts("NCHW", "IOHW");
    ConvAttrs padded = plain.with(List.of(2L, 2L), List.of(1L, 1L, 1L, 1L), List.of(1L, 1L), 1);
    ConvAttrs depthwise = plain.with(List.of(1L, 1L), List.of(0L, 0L, 0L, 0L), List.of(1L, 1L), 4);
    for (List<PrimExpr> image : List.of(shape(1, 4, 8, 8), shape(N, 4, M, M))) {
      for (ConvAttrs attrs : List.of(plain, padded, depthwise)) {
        List<PrimExpr> weight = shape(8, attrs.groups() == 1 ? 4 : 1, 3, 3);
        assertThat(
                kind(
                    List.of(image, weight),
                    (k, in) -> ConvOps.conv(k, "y", in.get(0), in.get(1), attrs)))
            .as("%s %s", image, attrs)
            .isEqualTo(OUT_EWISE_FUSABLE);
      }
      assertThat(
              kind(
                  List.of(image, shape(4, 8, 3, 3)),
                  (k, in) -> ConvOps.convTranspose(k, "y", in.get(0), in.get(1), transposed)))
          .isEqualTo(OUT_EWISE_FUSABLE);
    }
  }

  @Test
  void windowsTakeStagesAfterThem() {
    PoolAttrs plain = PoolAttrs.of(List.of(2L, 2L));
    PoolAttrs padded = plain.with(List.of(2L, 2L), List.of(1L, 1L, 1L, 1L), List.of(1L, 1L));
    for (List<PrimExpr> image : List.of(shape(1, 4, 8, 8), shape(N, 4, M, M))) {
      for (PoolAttrs attrs : List.of(plain, padded)) {
        assertThat(kind(List.of(image), (k, in) -> PoolOps.maxPool(k, "y", in.get(0), attrs)))
            .isEqualTo(OUT_EWISE_FUSABLE);
        assertThat(kind(List.of(image), (k, in) -> PoolOps.avgPool(k, "y", in.get(0), attrs)))
            .isEqualTo(OUT_EWISE_FUSABLE);
      }
      assertThat(
              kind(
                  List.of(image),
                  (k, in) -> PoolOps.adaptiveAvgPool(k, "y", in.get(0), shape(1, 1), "NCHW")))
          .isEqualTo(OUT_EWISE_FUSABLE);
    }
  }

  @Test
  void stagesAfterReductionsTakeStagesAfterThem() {
    requireAll(OUT_EWISE_FUSABLE, (k, x) -> ReductionOps.mean(k, "y", x, List.of(1), false));
    requireAll(OUT_EWISE_FUSABLE, (k, x) -> ReductionOps.variance(k, "y", x, null, true));
    requireAll(OUT_EWISE_FUSABLE, (k, x) -> ReductionOps.std(k, "y", x, List.of(0), false));
    requireAll(OUT_EWISE_FUSABLE, (k, x) -> SoftmaxOps.softmax(k, "y", x, 1));
    requireAll(OUT_EWISE_FUSABLE, (k, x) -> SoftmaxOps.softmax(k, "y", x, 0));
    requireAll(OUT_EWISE_FUSABLE, (k, x) -> SoftmaxOps.logSoftmax(k, "y", x, 1));
    requireAll(
        OUT_EWISE_FUSABLE, (k, x) -> NormOps.layerNorm(k, "y", x, null, null, List.of(1), 1e-5));
    requireAll(OUT_EWISE_FUSABLE, (k, x) -> NormOps.rmsNorm(k, "y", x, null, List.of(1), 1e-5));
    requireAll(OUT_EWISE_FUSABLE, (k, x) -> ReductionOps.argmax(k, "y", x, 1, false, DType.INT64));
    requireAll(OUT_EWISE_FUSABLE, (k, x) -> ReductionOps.argmin(k, "y", x, 0, true, DType.INT64));
  }

  @Test
  void attentionTakesStagesAfterIt() {
    for (List<PrimExpr> shape : List.of(shape(2, 5, 4, 8), shape(N, M, 4, 8))) {
      assertThat(
              kind(
                  List.of(shape, shape, shape),
                  (k, in) ->
                      AttentionOps.attention(
                          k,
                          "y",
                          in.get(0),
                          in.get(1),
                          in.get(2),
                          null,
                          null,
                          AttentionOps.CausalMask.NONE)))
          .isEqualTo(OUT_EWISE_FUSABLE);
    }
  }

  @Test
  void linesThatRunInOrderAreOpaque() {
    requireAll(OPAQUE, (k, x) -> OrderingOps.sort(k, "y", x, 1, false));
    requireAll(OPAQUE, (k, x) -> OrderingOps.argsort(k, "y", x, 1, false, DType.INT32));
    requireAll(OPAQUE, (k, x) -> ScanOps.cumsum(k, "y", x, 1, F32, false));
    requireAll(OPAQUE, (k, x) -> ScanOps.cumprod(k, "y", x, null, F32, true));
    for (List<PrimExpr> matrix : MATRICES) {
      PrimFunc topk =
          kernel(
              F32,
              List.of(matrix),
              (k, in) -> OrderingOps.topk(k, "y", in.get(0), IntImm.of(2), 1, true, DType.INT32));
      assertThat(OpPatterns.of(topk)).isEqualTo(OPAQUE);
    }
  }

  @Test
  void writesAtComputedIndicesAreOpaque() {
    for (List<PrimExpr> matrix : MATRICES) {
      assertThat(
              kind(
                  List.of(matrix, matrix),
                  (k, in) ->
                      ScatterOps.scatterElements(
                          k,
                          "y",
                          in.get(0),
                          k.input("i", DType.INT64, matrix),
                          in.get(1),
                          1,
                          ScatterOps.Reduction.ADD)))
          .isEqualTo(OPAQUE);
    }
  }

  /** A copy, of which parts are changed. */
  private static final String COPY =
      """
      # relaxvm tir 1
      @T.prim_func
      def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"),
            C: T.Buffer((4,), "float32")):
          for i in range(4):
              with T.block("B"):
                  v = T.axis.spatial(4, i)
                  B[v] = A[v]
      """;

  private static OpPattern kindOf(String text) {
    return OpPatterns.of(TirText.parse(text, "test").getFirst());
  }

  @Test
  void storesAtTwoIndicesAreOpaque() {
    assertThat(kindOf(COPY)).isEqualTo(ELEMWISE);
    assertThat(kindOf(COPY + "            C[v] = A[v]\n")).isEqualTo(ELEMWISE);
    assertThat(kindOf(COPY + "            C[3 - v] = A[v]\n")).isEqualTo(OPAQUE);
  }

  @Test
  void otherStatementsAreOpaque() {
    String inner = "            B[v] = A[v]\n";
    assertThat(kindOf(COPY.replace(inner, "            if v < 3:\n    " + inner)))
        .isEqualTo(OPAQUE);
    assertThat(kindOf(COPY.replace("T.axis.spatial", "T.axis.opaque"))).isEqualTo(OPAQUE);
    assertThat(kindOf(COPY.replace(inner, "            pass\n"))).isEqualTo(OPAQUE);
    Buffer a = Buffer.of("A", F32, shape(4));
    List<Stmt> others =
        List.of(
            new CallPacked("f", List.of(new PackedArg.OfBuffer(a))),
            For.serial(N, IntImm.of(4), new BufferStore(a, f(1), List.of(N))),
            Block.root(List.of(), new BufferStore(a, f(1), shape(0))));
    for (Stmt body : others) {
      assertThat(OpPatterns.of(PrimFunc.of("f", List.of(a), body))).isEqualTo(OPAQUE);
    }
  }

  @Test
  void parametersMayBeInAnyIndex() {
    KernelBuilder k = new KernelBuilder("shift");
    Var by = k.scalar("by", DType.INT64);
    TensorExpr x = k.input("x", F32, shape(N));
    PrimFunc shifted =
        k.build(
            k.compute("y", shape(N), i -> x.at(Exprs.floorMod(Exprs.add(i.getFirst(), by), N))));
    assertThat(OpPatterns.of(shifted)).isEqualTo(INJECTIVE);
  }

  @Test
  void kindsBecomeAnAttribute() {
    PrimFunc sum =
        kernel(
            F32,
            List.of(shape(N, M)),
            (k, in) -> List.of(ReductionOps.sum(k, "y", in.get(0), null, false)));
    assertThat(OpPatterns.annotated(sum).attrs()).isEqualTo(Map.of("op_pattern", 3L));
    PrimFunc known = sum.withAttrs(Map.of("op_pattern", 8L, "note", "x"));
    assertThat(OpPatterns.annotated(known)).isSameAs(known);
    assertThat(OpPatterns.annotated(sum.withAttrs(Map.of("op_pattern", 0L))).attrs())
        .isEqualTo(Map.of("op_pattern", 3L));
  }

  @Test
  void kindsHaveNumbers() {
    for (OpPattern pattern : OpPattern.values()) {
      assertThat(OpPattern.of(pattern.code())).isEqualTo(pattern);
    }
    assertThatThrownBy(() -> OpPattern.of(5))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "no kind of kernel has the number 5; expected one of 0 ELEMWISE, 1 BROADCAST,"
                + " 2 INJECTIVE, 3 COMM_REDUCE, 4 OUT_EWISE_FUSABLE, 7 TUPLE, 8 OPAQUE");
  }
}
