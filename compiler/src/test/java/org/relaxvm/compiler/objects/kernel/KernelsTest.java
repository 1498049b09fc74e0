package org.relaxvm.compiler.objects.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.KernelCorpus;
import org.relaxvm.backendtestkit.corpus.RandomSchedules;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.compiler.objects.node.Problems;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.rewrite.StructuralEquality;
import org.relaxvm.tir.text.TirText;

/** Kernels as objects and JSON, and back. */
@Tag("effort")
class KernelsTest {
  private static final int SCHEDULES = 200;

  private static PrimFunc throughJson(PrimFunc kernel) {
    NodeMaker nodes = new NodeMaker(Graphs.TYPES);
    ObjectNode written =
        Graphs.throughJson(KernelWriter.write(kernel, new ScalarWriter(nodes), nodes));
    Problems problems = new Problems();
    PrimFunc again =
        KernelReader.read(kernel.name(), written, new ScalarReader(problems), problems, "<root>")
            .orElse(kernel);
    problems.throwIfAny(kernel.name());
    return again;
  }

  private static void assertComesBack(PrimFunc kernel) {
    PrimFunc again = throughJson(kernel);
    assertThat(again).isNotSameAs(kernel);
    assertThat(StructuralEquality.areEqual(kernel, again))
        .withFailMessage(
            () -> "got\n" + TirText.print(again) + "\nexpected\n" + TirText.print(kernel))
        .isTrue();
  }

  @Test
  void theCorpusComesBack() {
    List<KernelCase> kernels = KernelCorpus.sample(KernelsTest.class, 1_500);
    assertThat(kernels).hasSizeGreaterThan(300);
    kernels.forEach(kernel -> assertComesBack(kernel.function()));
  }

  @Test
  void scheduledKernelsComeBack() {
    RandomSchedules schedules = new RandomSchedules();
    for (int seed = 0; seed < SCHEDULES; seed++) {
      assertComesBack(schedules.of(seed).scheduled());
    }
  }

  /** Kernels that have each kind of statement. */
  static List<PrimFunc> allStatements() {
    return TirText.parse(
        """
        # relaxvm tir 1
        @T.prim_func
        def loops(A: T.Buffer((n, 8), "float32"), s: T.int32, C: T.Buffer((n, 8), "float32")):
            T.func_attr({"tirx.noalias": True, "op_pattern": 4, "scale": 0.5, "kind": "x"})
            n = T.int64()
            for b in T.thread_binding(n, thread="blockIdx.x"):
                for t in T.thread_binding(8, thread="threadIdx.x", annotations={"unroll": 2}):
                    if b + t > T.Cast("int64", s):
                        C[b, t] = A[b, t]
                    else:
                        C[b, t] = T.float32(0)
            for i in T.parallel(n):
                for j in T.vectorized(8):
                    for k in T.unroll(1, 3):
                        C[i, j] = T.max(C[i, j], A[i, j] * T.float32(2))

        @T.prim_func
        def narrow(A: T.Buffer((4,), "int32")):
            for i in range(T.int32(4)):
                A[T.Cast("int64", i)] = i * T.int32(3)

        @T.prim_func
        def lets(A: T.Buffer((4,), "float32")):
            with T.LetStmt(A[0] + T.float32(1), var=x):
                with T.LetStmt(x * x, var=y):
                    A[1] = y
                    pass
                A[2] = x
            with T.LetStmt(A[1], var=z):
                A[3] = z

        @T.prim_func
        def packed(A: T.Buffer((4,), "float32")):
            T.call_packed("f", A, 1, T.float64(0.5), True, "text")

        @T.prim_func
        def result(n: T.int64) -> T.int64:
            return n * 2

        @T.prim_func
        def nothing(n: T.int64):
            pass

        @T.prim_func
        def host(ctx_ptr: T.handle, r: T.handle, c: T.handle, f: T.handle):
            for i in range(9223372036854775807):
                T.anylist_setitem_call_packed(r, 4, "f", T.anylist_getitem(r, 0), i, None)
                T.anylist_setitem_call_cpacked(r, 5, "kernel", ctx_ptr, "text", T.float64(0.5))
                with T.LetStmt(T.call_packed("test", T.anylist_getitem(f, 0)), var=is_true):
                    if is_true:
                        T.call_cpacked("kernel")
                        continue
                with T.LetStmt(T.call_cpacked("mean"), var=x, dtype="float64"):
                    T.call_packed("f", x)
                break
        """,
        "kernels");
  }

  @Test
  void allStatementsComeBack() {
    List<PrimFunc> kernels = allStatements();
    assertThat(kernels).hasSize(7);
    kernels.forEach(KernelsTest::assertComesBack);
  }

  @Test
  void aSequenceOfOneStatementIsThatStatement() {
    String plain = "# relaxvm tir 1\n@T.prim_func\ndef f(A: T.Buffer((1,), \"float32\")):\n";
    PrimFunc kernel =
        TirText.parse(plain + "    with T.Seq():\n        A[0] = A[0]\n", "kernel").getFirst();
    assertThat(TirText.print(throughJson(kernel))).isEqualTo(plain + "    A[0] = A[0]\n");
  }
}
