package org.relaxvm.compiler.pass.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.Stages;

/** Which copies become views. */
class RewriteDataflowReshapeTest {
  /** What becomes of the first binding of a block. */
  private static String first(String params, String value) {
    IRModule module =
        Stages.parse(
            "@R.function\ndef main("
                + params
                + "):\n    with R.dataflow():\n        lv = "
                + value
                + "\n        gv = R.exp(lv)\n        R.output(gv)\n    return gv\n");
    return rewritten(module).get(1).strip();
  }

  private static List<String> rewritten(IRModule module) {
    return Stages.main(Stages.run(Stages.legal(module), new RewriteDataflowReshape()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(4, 3) | R.reshape(x, R.shape([2, 6])) | 2, 6",
        "(4, 3) | R.reshape(x, R.shape([12])) | 12",
        "('n', 3) | R.reshape(x, R.shape([3, n])) | 3, n",
        "('n', 4, 'm') | R.reshape(x, R.shape([n * 4, m])) | n * 4, m",
        "('n', 4) | R.expand_dims(x, axis=[0, 2]) | 1, n, 1, 4",
        "(1, 4, 1) | R.squeeze(x) | 4",
        "('n', 3, 4) | R.flatten(x) | n * 12",
        "(1, 1) | R.squeeze(x) | ''",
        "() | R.expand_dims(x, axis=[0]) | 1",
        "(0, 3) | R.reshape(x, R.shape([3, 0])) | 3, 0",
        "('n', 1) | R.permute_dims(x) | 1, n"
      })
  void copiesInRowMajorOrderAreViews(String shape, String value, String dims) {
    String params = "x: R.Tensor(" + shape.replace('\'', '"') + ", \"float32\")";
    assertThat(first(params, value)).isEqualTo("lv = R.reshape(x, R.shape([" + dims + "]))");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "('n', 4) | R.permute_dims(x)",
        "(4, 4) | R.strided_slice(x, axes=[0], begin=[0], end=[2])",
        "(4,) | R.astype(x, 'float16')",
        "(4,) | R.negative(x)",
        "(1,) | R.broadcast_to(x, R.shape([4]))",
        "(1, 4) | R.add(x, x)"
      })
  void allElseStays(String shape, String value) {
    String params = "x: R.Tensor(" + shape.replace('\'', '"') + ", \"float32\")";
    assertThat(first(params, value.replace('\'', '"'))).startsWith("lv = R.call_tir(cls.");
  }

  @Test
  void outputsHaveMemoryOfTheirOwn() {
    IRModule module =
        Stages.parse(
            """
            @R.function
            def main(x: R.Tensor((4, 3), "float32")):
                with R.dataflow():
                    gv = R.reshape(x, R.shape([12]))
                    R.output(gv)
                return gv
            """);
    assertThat(rewritten(module))
        .containsExactly("with R.dataflow():", "  gv = R.call_tir(cls.reshape, (x,))", "return gv");
  }

  @Test
  void outputsUnderAnotherNameHaveMemoryOfTheirOwn() {
    IRModule module =
        Stages.parse(
            """
            @R.function
            def main(x: R.Tensor((4, 3), "float32")):
                with R.dataflow():
                    lv = R.reshape(x, R.shape([12]))
                    lv1 = R.reshape(x, R.shape([2, 6]))
                    gv = (lv, lv1)
                    R.output(gv)
                return gv
            """);
    assertThat(rewritten(module))
        .contains("  lv = R.call_tir(cls.reshape, (x,))", "  lv1 = R.call_tir(cls.reshape1, (x,))");
  }

  @Test
  void bindingsOutsideOfDataflowBlocksStay() {
    IRModule module =
        Stages.parse(
            """
            @R.function
            def main(x: R.Tensor((4, 3), "float32")):
                lv = R.reshape(x, R.shape([12]))
                gv = R.exp(lv)
                return gv
            """);
    assertThat(rewritten(module)).first().isEqualTo("lv = R.call_tir(cls.reshape, (x,))");
  }

  @Test
  void viewsOfViewsAndOfConstantsAreViews() {
    IRModule module =
        Stages.parse(
            """
            @R.function
            def main(x: R.Tensor((4, 3), "float32")):
                with R.dataflow():
                    lv = R.reshape(x, R.shape([12]))
                    lv1 = R.reshape(lv, R.shape([2, 6]))
                    lv2 = R.reshape(R.const([1, 2], "float32"), R.shape([2, 1]))
                    gv = R.add(lv1, lv2)
                    R.output(gv)
                return gv
            """);
    assertThat(rewritten(module))
        .containsExactly(
            "with R.dataflow():",
            "  lv = R.reshape(x, R.shape([12]))",
            "  lv1 = R.reshape(lv, R.shape([2, 6]))",
            "  lv2 = R.reshape(R.const(R.Tensor((2,), dtype=\"float32\")), R.shape([2, 1]))",
            "  gv = R.call_tir(cls.add, (lv1, lv2))",
            "return gv");
  }

  private static final String KERNELS =
      """
      @T.prim_func(private=True)
      def copy(A: T.Buffer((T.int64(4),), "float32"), U: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(2), T.int64(2)), "float32")):
          for i, j in T.grid(T.int64(2), T.int64(2)):
              with T.block("b"):
                  vi, vj = T.axis.remap("SS", [i, j])
                  T.reads(A[vi * T.int64(2) + vj])
                  T.writes(B[vi, vj])
                  B[vi, vj] = A[vi * T.int64(2) + vj]

      @T.prim_func(private=True)
      def half(A: T.Buffer((T.int64(2), T.int64(2)), "float32")):
          for i, j in T.grid(T.int64(2), T.int64(2)):
              with T.block("b"):
                  vi, vj = T.axis.remap("SS", [i, j])
                  T.reads(A[vi, vj])
                  T.writes(A[vi, vj])
                  A[vi, vj] = A[vi, vj] * T.float32(0.5)

      """;

  @Test
  void argumentsThatTheKernelDoesNotReadDoNotMatter() {
    IRModule module =
        Stages.parse(
            KERNELS
                + """
                @R.function
                def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
                    with R.dataflow():
                        lv = R.call_tir(cls.copy, (x, y), out_ty=R.Tensor((2, 2), dtype="float32"))
                        gv = R.exp(lv)
                        R.output(gv)
                    return gv
                """);
    assertThat(rewritten(module).get(1)).isEqualTo("  lv = R.reshape(x, R.shape([2, 2]))");
  }

  @Test
  void whatIsOverwrittenLaterIsCopied() {
    IRModule module =
        Stages.parse(
            KERNELS
                + """
                @R.function
                def main(x: R.Tensor((4,), "float32")):
                    with R.dataflow():
                        lv = R.call_tir(cls.copy, (x, x), out_ty=R.Tensor((2, 2), dtype="float32"))
                        lv1 = lv
                        gv = R.call_tir_inplace(cls.half, (lv1,), out_ty=R.Tensor((2, 2), dtype="float32"), inplace_indices=[0])
                        R.output(gv)
                    return (gv, x)
                """);
    assertThat(rewritten(module).get(1)).isEqualTo("  lv = R.call_tir(cls.copy, (x, x))");
  }

  @Test
  void aCopyOfWhatIsOverwrittenLaterStays() {
    IRModule module =
        Stages.parse(
            KERNELS
                + """
                @R.function
                def main(x: R.Tensor((4,), "float32")):
                    with R.dataflow():
                        lv = R.call_tir(cls.copy, (x, x), out_ty=R.Tensor((2, 2), dtype="float32"))
                        lv1 = R.reshape(lv, R.shape([4]))
                        lv2 = R.call_tir_inplace(cls.half, (lv,), out_ty=R.Tensor((2, 2), dtype="float32"), inplace_indices=[0])
                        lv3 = R.exp(lv1)
                        gv = R.add(lv3, R.reshape(lv2, R.shape([4])))
                        R.output(gv)
                    return gv
                """);
    assertThat(rewritten(module).get(2)).isEqualTo("  lv1 = R.call_tir(cls.reshape, (lv,))");
  }

  @Test
  void onlyProvenNumbersOfElementsAreEqual() {
    IRModule module =
        Stages.parse(
            """
            @T.prim_func(private=True)
            def some(A: T.Buffer((m,), "float32"), B: T.Buffer((k,), "float32")):
                for i in T.grid(k):
                    with T.block("b"):
                        vi = T.axis.remap("S", [i])
                        T.reads(A[vi])
                        T.writes(B[vi])
                        B[vi] = A[vi]

            @R.function
            def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("p",), "float32")):
                with R.dataflow():
                    lv = R.call_tir(cls.some, (x,), out_ty=R.Tensor((p,), dtype="float32"))
                    lv1 = R.call_tir(cls.some, (x,), out_ty=R.Tensor((n,), dtype="float32"))
                    gv = R.exp(lv)
                    gv1 = R.exp(lv1)
                    R.output(gv, gv1)
                return (gv, gv1)
            """);
    assertThat(rewritten(module).subList(1, 3))
        .containsExactly("  lv = R.call_tir(cls.some, (x,))", "  lv1 = R.reshape(x, R.shape([n]))");
  }
}
