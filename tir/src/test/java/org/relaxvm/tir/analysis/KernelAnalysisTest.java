package org.relaxvm.tir.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.AttentionOps;
import org.relaxvm.tir.op.LibraryHint;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.op.SoftmaxOps;
import org.relaxvm.tir.schedule.Attempt;
import org.relaxvm.tir.schedule.InlineProducers;
import org.relaxvm.tir.schedule.Schedule;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;

class KernelAnalysisTest {
  private static final String GEMM =
      """
      @T.prim_func
      def kernel(A: T.Buffer((n, 4), "float32"), B: T.Buffer((4, 8), "float32"), bias: T.Buffer((8,), "float32"), O: T.Buffer((n, 8), "float32")):
          n = T.int64()
          C = T.alloc_buffer((n, 8))
          for i, j in T.grid(n, 8):
              with T.block("start"):
                  vi, vj = T.axis.remap("SS", [i, j])
                  C[vi, vj] = T.float32(0)
          for i, j, k in T.grid(n, 8, 4):
              with T.block("sum"):
                  vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                  C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
          for i, j in T.grid(n, 8):
              with T.block("end"):
                  vi, vj = T.axis.remap("SS", [i, j])
                  O[vi, vj] = T.max(C[vi, vj] + bias[vj], T.float32(0))
      """;

  private static KernelAnalysis gemm() {
    return KernelAnalysis.of(TirText.parse(GEMM, "kernel").getFirst());
  }

  private static Buffer buffer(KernelAnalysis kernel, String name) {
    return kernel.nests().stream()
        .flatMap(nest -> nest.accesses().stream())
        .map(Access::buffer)
        .filter(buffer -> buffer.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> names(List<For> loops) {
    return loops.stream().map(loop -> loop.loopVar().name()).toList();
  }

  @Test
  void stagesAreTheStatementsOfTheRoot() {
    KernelAnalysis kernel = gemm();

    assertThat(kernel.isUnscheduled()).isTrue();
    assertThat(kernel.stages()).hasSize(3).allMatch(stage -> !(stage instanceof LoopStage));
    assertThat(kernel.nests()).extracting(Nest::name).containsExactly("start", "sum", "end");
    Buffer c = buffer(kernel, "C");
    assertThat(kernel.writers(c)).isEqualTo(kernel.stages().subList(0, 2));
    assertThat(kernel.stages().getLast().reads(c)).isTrue();
    assertThat(kernel.stages().getLast().writes(c)).isFalse();
    assertThat(kernel.isWrittenOnce(c)).isTrue();
  }

  @Test
  void anInitializationIsJoinedToItsReduction() {
    List<Stage> stages = gemm().parallelStages();

    assertThat(stages).hasSize(2).allMatch(LoopStage.class::isInstance);
    LoopStage sum = (LoopStage) stages.getFirst();
    assertThat(sum.blocks()).containsExactly("start", "sum");
    assertThat(sum.nest().block().init()).isPresent();
    assertThat(names(sum.parallel())).containsExactly("i", "j");
    assertThat(names(sum.serial())).containsExactly("k");
    assertThat(sum.reduction()).isPresent();
  }

  @Test
  void anInitializationOfPartOfTheOutputIsAStageOfItsOwn() {
    String part = GEMM.replaceFirst("T.grid\\(n, 8\\)", "T.grid(n, 7)");
    KernelAnalysis kernel = KernelAnalysis.of(TirText.parse(part, "kernel").getFirst());

    assertThat(kernel.parallelStages()).hasSize(3);
  }

  @Test
  void aContractionHasRowsAndColumns() {
    LoopStage sum = (LoopStage) gemm().parallelStages().getFirst();
    Contraction contraction = sum.contraction().orElseThrow();

    assertThat(names(contraction.rows())).containsExactly("i");
    assertThat(names(contraction.columns())).containsExactly("j");
    assertThat(contraction.batch()).isEmpty();
    assertThat(contraction.rowValue()).hasToString("BufferLoad[buffer=A, indices=[i, k]]");
    assertThat(contraction.columnValue()).hasToString("BufferLoad[buffer=B, indices=[k, j]]");
    assertThat(((LoopStage) gemm().parallelStages().getLast()).contraction()).isEmpty();
  }

  @Test
  void anElementwiseStageIsTheEpilogueOfTheOneBefore() {
    List<Stage> stages = gemm().parallelStages();
    Contraction contraction = ((LoopStage) stages.getFirst()).contraction().orElseThrow();
    Var result = new Var("result", DType.FLOAT32);

    assertThat(((LoopStage) stages.getLast()).asEpilogue(contraction.output(), result))
        .hasValueSatisfying(
            stmt ->
                assertThat(stmt)
                    .hasToString(
                        "BufferStore[buffer=O, value=Binary[op=MAX, a=Binary[op=ADD, a=result,"
                            + " b=BufferLoad[buffer=bias, indices=[j]]], b=FloatImm[dtype=float32,"
                            + " value=0.0]], indices=[i, j]]"));
  }

  @Test
  void anEpilogueHasBiasResidualAndFunction() {
    KernelAnalysis kernel = gemm();
    Epilogue epilogue = kernel.epilogue(buffer(kernel, "C"), 1).orElseThrow();

    assertThat(epilogue.bias()).map(Buffer::name).hasValue("bias");
    assertThat(epilogue.residual()).isEmpty();
    assertThat(epilogue.function()).isEqualTo(EpilogueFunction.RELU);
    assertThat(epilogue.output().name()).isEqualTo("O");
    assertThat(kernel.epilogue(buffer(kernel, "C"), 0)).isEmpty();
  }

  @Test
  void anEpilogueMayHaveSeveralStages() {
    String twoStages =
        GEMM.replace(
                    "C = T.alloc_buffer((n, 8))",
                    "C = T.alloc_buffer((n, 8))\n    D = T.alloc_buffer((8, n))")
                .replace(
                    "O[vi, vj] = T.max(C[vi, vj] + bias[vj], T.float32(0))",
                    "D[vj, vi] = C[vi, vj] + bias[vj]")
            + """
                for i, j in T.grid(n, 8):
                    with T.block("last"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        O[vi, vj] = T.tanh(D[vj, vi])
            """;
    KernelAnalysis kernel = KernelAnalysis.of(TirText.parse(twoStages, "kernel").getFirst());
    Epilogue epilogue = kernel.epilogue(buffer(kernel, "C"), 1).orElseThrow();

    assertThat(epilogue.bias()).map(Buffer::name).hasValue("bias");
    assertThat(epilogue.function()).isEqualTo(EpilogueFunction.TANH);
  }

  @Test
  void aStageWhoseInputIsOverwrittenIsNoEpilogue() {
    String changed =
        GEMM.replace(
                    "C = T.alloc_buffer((n, 8))",
                    "C = T.alloc_buffer((n, 8))\n"
                        + "    D = T.alloc_buffer((n, 8))\n"
                        + "    E = T.alloc_buffer((n, 8))")
                .replace(
                    "O[vi, vj] = T.max(C[vi, vj] + bias[vj], T.float32(0))",
                    "D[vi, vj] = C[vi, vj] + E[vi, vj]")
            + """
                for i, j in T.grid(n, 8):
                    with T.block("overwrite"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        E[vi, vj] = T.float32(1)
                for i, j in T.grid(n, 8):
                    with T.block("last"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        O[vi, vj] = D[vi, vj]
            """;
    KernelAnalysis kernel = KernelAnalysis.of(TirText.parse(changed, "kernel").getFirst());

    assertThat(kernel.epilogue(buffer(kernel, "C"), 1)).isEmpty();
  }

  @Test
  void aStageWhoseOutputWasPartlyWrittenBeforeIsNoEpilogue() {
    String changed =
        GEMM.replace(
                    "C = T.alloc_buffer((n, 8))\n",
                    """
                    C = T.alloc_buffer((n, 8))
                        D = T.alloc_buffer((n, 8))
                        for i, j in T.grid(n, 8):
                            with T.block("zero"):
                                vi, vj = T.axis.remap("SS", [i, j])
                                D[vi, vj] = T.float32(0)
                    """)
                .replace(
                    "for i, j in T.grid(n, 8):\n        with T.block(\"end\")",
                    "for i, j in T.grid(n, 4):\n        with T.block(\"end\")")
                .replace(
                    "O[vi, vj] = T.max(C[vi, vj] + bias[vj], T.float32(0))",
                    "D[vi, vj] = C[vi, vj]")
            + """
                for i, j in T.grid(n, 8):
                    with T.block("last"):
                        vi, vj = T.axis.remap("SS", [i, j])
                        O[vi, vj] = T.max(D[vi, vj], T.float32(0))
            """;
    assertThat(changed).contains("T.grid(n, 4):\n        with T.block(\"end\")");
    KernelAnalysis kernel = KernelAnalysis.of(TirText.parse(changed, "kernel").getFirst());

    assertThat(kernel.epilogue(buffer(kernel, "C"), 1)).isEmpty();
  }

  @Test
  void whatElseIsWrittenIsNoEpilogue() {
    String more =
        GEMM.replace("T.max(C[vi, vj] + bias[vj], T.float32(0))", "C[vi, vj] * C[vi, vj]");
    KernelAnalysis kernel = KernelAnalysis.of(TirText.parse(more, "kernel").getFirst());

    assertThat(kernel.epilogue(buffer(kernel, "C"), 1)).isEmpty();
  }

  @Test
  void attentionIsRecognizedByItsStages() {
    List<PrimExpr> shape = List.of(Var.index("b"), Var.index("n"), IntImm.of(2), IntImm.of(8));
    KernelBuilder builder = new KernelBuilder("attention");
    List<TensorExpr> inputs =
        List.of("q", "k", "v").stream()
            .map(name -> builder.input(name, DType.FLOAT32, shape))
            .toList();
    PrimFunc function =
        builder.build(
            AttentionOps.attention(
                builder,
                "attention",
                inputs.get(0),
                inputs.get(1),
                inputs.get(2),
                null,
                null,
                AttentionOps.CausalMask.TOP_LEFT));
    KernelAnalysis kernel =
        KernelAnalysis.of(InlineProducers.in(KernelAnalysis.of(function), Attempt.HOPEFUL));
    List<LoopStage> stages = kernel.parallelStages().stream().map(LoopStage.class::cast).toList();

    Attention attention = Attention.of(stages).orElseThrow();
    assertThat(attention.rows()).hasSize(1);
    assertThat(attention.batch()).hasSize(2);
    assertThat(attention.columns()).hasSize(1);
    assertThat(attention.mask()).isPresent();
    assertThat(attention.temporaries()).hasSize(5);
    assertThat(Attention.of(stages.subList(1, stages.size()))).isEmpty();
  }

  @Test
  void softmaxIsNoAttention() {
    KernelBuilder builder = new KernelBuilder("softmax");
    TensorExpr x = builder.input("x", DType.FLOAT32, List.of(Var.index("n"), IntImm.of(8)));
    KernelAnalysis kernel =
        KernelAnalysis.of(builder.build(SoftmaxOps.softmax(builder, "softmax", x, -1)));

    assertThat(Attention.of(kernel.parallelStages().stream().map(LoopStage.class::cast).toList()))
        .isEmpty();
    assertThat(kernel.stages()).hasSizeGreaterThan(2);
  }

  @Test
  void aScheduledKernelHasNoLoopStages() {
    Schedule schedule = new Schedule(gemm().kernel());
    schedule.split(schedule.loops("end").getFirst(), 4);
    schedule.reverseComputeAt("end", schedule.loops("sum").getFirst());
    KernelAnalysis kernel = KernelAnalysis.of(schedule.function());

    assertThat(kernel.isUnscheduled()).isFalse();
    assertThat(kernel.independent()).isEmpty();
    assertThat(kernel.parallelStages()).noneMatch(LoopStage.class::isInstance);
  }

  @Test
  void loopsThatWriteTheSameElementAreNotIndependent() {
    String overlapping = GEMM.replace("O[vi, vj] = T.max(C[vi, vj]", "O[vi, 0] = T.max(C[vi, vj]");
    KernelAnalysis kernel = KernelAnalysis.of(TirText.parse(overlapping, "kernel").getFirst());
    LoopStage last = (LoopStage) kernel.parallelStages().getLast();

    assertThat(names(last.parallel())).doesNotContain("j");
  }

  @Test
  void buffersOfAHintAreFoundByName() {
    PrimFunc plain = matmul();
    KernelAnalysis kernel = KernelAnalysis.of(plain);

    assertThat(LibraryHint.output(kernel)).map(Buffer::name).isEqualTo(Optional.of("matmul"));
    assertThat(kernel.buffer("matmul")).isEqualTo(LibraryHint.output(kernel));
    assertThat(kernel.parameterIndex("A")).isZero();
    assertThat(kernel.parameterIndex("matmul")).isEqualTo(2);
    assertThat(kernel.parameterIndex("other")).isNegative();
    assertThat(LibraryHint.output(gemm())).isEmpty();
  }

  private static PrimFunc matmul() {
    KernelBuilder builder = new KernelBuilder("matmul");
    TensorExpr a = builder.input("A", DType.FLOAT32, List.of(Var.index("n"), IntImm.of(4)));
    TensorExpr b = builder.input("B", DType.FLOAT32, List.of(IntImm.of(4), IntImm.of(8)));
    return builder.build(LinearOps.matmul(builder, "matmul", a, b, null));
  }
}
