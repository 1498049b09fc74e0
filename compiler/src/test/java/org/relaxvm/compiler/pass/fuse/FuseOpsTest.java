package org.relaxvm.compiler.pass.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.Stages;

/** Which calls of kernels become a group, and how groups are called. */
class FuseOpsTest {
  private static final String X = "x: R.Tensor((\"n\", 4), \"float32\")";

  /** A function of a dataflow block. */
  private static IRModule grouped(String params, String bindings) {
    return Stages.grouped(program(params, bindings));
  }

  private static IRModule program(String params, String bindings) {
    return Stages.parse(
        "@R.function\ndef main("
            + params
            + "):\n    with R.dataflow():\n"
            + bindings.indent(8)
            + "        R.output(gv)\n    return gv\n");
  }

  @Test
  void joinsAChain() {
    IRModule module =
        grouped(
            X,
            """
            lv = R.add(x, x)
            lv1 = R.exp(lv)
            gv = R.negative(lv1)
            """);
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():", "  gv = cls.fused_add_tir_exp_tir_negative(x)", "return gv");
    assertThat(Stages.lines(module, "fused_add_tir_exp_tir_negative"))
        .containsExactly(
            "with R.dataflow():",
            "  lv = R.call_tir(cls.add, (x, x))",
            "  lv1 = R.call_tir(cls.tir_exp, (lv,))",
            "  gv = R.call_tir(cls.tir_negative, (lv1,))",
            "return gv");
  }

  @Test
  void joinsBothSidesOfADiamond() {
    IRModule module =
        grouped(
            X,
            """
            lv = R.exp(x)
            lv1 = R.sin(lv)
            lv2 = R.cos(lv)
            gv = R.multiply(lv1, lv2)
            """);
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():",
            "  gv = cls.fused_tir_exp_tir_sin_tir_cos_multiply(x)",
            "return gv");
  }

  @Test
  void joinsAConvolutionWithItsBiasAndActivation() {
    IRModule module =
        grouped(
            "x: R.Tensor((1, 3, 8, 8), \"float32\"), w: R.Tensor((4, 3, 3, 3), \"float32\"), b:"
                + " R.Tensor((1, 4, 1, 1), \"float32\")",
            """
            lv = R.nn.conv2d(x, w)
            lv1 = R.add(lv, b)
            gv = R.nn.relu(lv1)
            """);
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():", "  gv = cls.fused_conv2d_add_relu(x, w, b)", "return gv");
  }

  @Test
  void aKernelHasOneMatmulOnly() {
    IRModule module =
        grouped(
            "x: R.Tensor((4, 4), \"float32\")",
            """
            lv = R.matmul(x, x)
            lv1 = R.matmul(x, lv)
            gv = R.add(lv, lv1)
            """);
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():",
            "  lv = R.call_tir(cls.matmul, (x, x))",
            "  gv = cls.fused_matmul_add(x, lv)",
            "return gv");
  }

  @Test
  void twoMatmulsThatMeetShareNoKernel() {
    IRModule module =
        grouped(
            "x: R.Tensor((4, 4), \"float32\"), y: R.Tensor((4, 4), \"float32\")",
            """
            lv = R.matmul(x, y)
            lv1 = R.matmul(y, x)
            lv2 = R.add(lv, lv1)
            gv = R.nn.relu(lv2)
            """);
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():",
            "  lv1 = R.call_tir(cls.matmul, (y, x))",
            "  gv = cls.fused_matmul_add_relu(x, y, lv1)",
            "return gv");
  }

  @Test
  void nothingButElementwiseKernelsFollowsAMatmul() {
    for (String follower : new String[] {"R.permute_dims(lv1)", "R.sum(lv1, axis=[1])"}) {
      IRModule module =
          grouped(
              "x: R.Tensor((4, 4), \"float32\")",
              "lv = R.matmul(x, x)\nlv1 = R.nn.relu(lv)\ngv = " + follower + "\n");
      assertThat(Stages.main(module))
          .hasSize(4)
          .element(1)
          .isEqualTo("  lv1 = cls.fused_matmul_relu(x)");
    }
  }

  @Test
  void joinsKernelsThatMoveElementsInTheSecondRound() {
    IRModule module =
        grouped(
            X,
            """
            lv = R.permute_dims(x)
            lv1 = R.exp(lv)
            gv = R.permute_dims(lv1)
            """);
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():", "  gv = cls.fused_transpose_tir_exp_transpose1(x)", "return gv");
  }

  @Test
  void aReductionEndsAGroup() {
    IRModule module =
        grouped(
            X,
            """
            lv = R.exp(x)
            lv1 = R.sum(lv, axis=[1])
            gv = R.negative(lv1)
            """);
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():",
            "  lv1 = cls.fused_tir_exp_sum(x)",
            "  gv = R.call_tir(cls.tir_negative, (lv1,))",
            "return gv");
  }

  @Test
  void nothingJoinsAConcatenationOfManyTensorsBeforeIt() {
    assertThat(Stages.main(concatenation(32))).hasSize(3);
    assertThat(Stages.main(concatenation(33))).hasSize(36);
  }

  /** Each part is computed by a kernel; the result is negated. */
  private static IRModule concatenation(int parts) {
    StringBuilder bindings = new StringBuilder();
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < parts; i++) {
      bindings.append("p%1$d = R.add(x, R.const(%1$d, \"float32\"))\n".formatted(i));
      names.append("p").append(i).append(", ");
    }
    bindings.append("joined = R.concat((" + names + "), axis=0)\ngv = R.negative(joined)\n");
    return grouped(X, bindings.toString());
  }

  @Test
  void anOutputOfTheBlockEndsAGroup() {
    IRModule module =
        Stages.grouped(
            Stages.parse(
                """
                @R.function
                def main(x: R.Tensor(("n", 4), "float32")):
                    with R.dataflow():
                        lv = R.exp(x)
                        gv = R.sin(lv)
                        gv1 = R.cos(gv)
                        R.output(gv, gv1)
                    return (gv, gv1)
                """));
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():",
            "  gv = cls.fused_tir_exp_tir_sin(x)",
            "  gv1 = R.call_tir(cls.tir_cos, (gv,))",
            "return (gv, gv1)");
  }

  @Test
  void bindingsOutsideOfDataflowBlocksStay() {
    IRModule module =
        Stages.grouped(
            Stages.parse(
                """
                @R.function
                def main(x: R.Tensor(("n", 4), "float32")):
                    lv = R.exp(x)
                    gv = R.sin(lv)
                    return gv
                """));
    assertThat(Stages.main(module))
        .containsExactly(
            "lv = R.call_tir(cls.tir_exp, (x,))",
            "gv = R.call_tir(cls.tir_sin, (lv,))",
            "return gv");
  }

  @Test
  void theLimitCountsTheBindingsOfAGroup() {
    String bindings =
        """
        lv = R.exp(x)
        lv1 = R.sin(lv)
        lv2 = R.cos(lv1)
        gv = R.negative(lv2)
        """;
    IRModule legal = Stages.legal(program(X, bindings));
    IRModule two = Stages.run(legal, PassContext.DEFAULT.withMaxFuseDepth(2), new FuseOps());
    assertThat(Stages.main(two))
        .containsExactly(
            "with R.dataflow():",
            "  lv1 = cls.fused_tir_exp_tir_sin(x)",
            "  gv = cls.fused_tir_cos_tir_negative(lv1)",
            "return gv");
    IRModule one = Stages.run(legal, PassContext.DEFAULT.withMaxFuseDepth(1), new FuseOps());
    assertThat(Stages.main(one)).isEqualTo(Stages.main(legal));
  }

  @Test
  void theLimitCountsEachBindingOfADiamondOnce() {
    String bindings =
        """
        lv = R.exp(x)
        lv1 = R.sin(lv)
        lv2 = R.cos(lv)
        gv = R.multiply(lv1, lv2)
        """;
    IRModule legal = Stages.legal(program(X, bindings));
    assertThat(
            Stages.main(Stages.run(legal, PassContext.DEFAULT.withMaxFuseDepth(4), new FuseOps())))
        .hasSize(3);
    assertThat(
            Stages.main(Stages.run(legal, PassContext.DEFAULT.withMaxFuseDepth(3), new FuseOps())))
        .containsExactly(
            "with R.dataflow():",
            "  lv = R.call_tir(cls.tir_exp, (x,))",
            "  gv = cls.fused_tir_sin_tir_cos_multiply(lv)",
            "return gv");
  }

  @Test
  void nothingJoinsThroughAMatchCast() {
    IRModule module =
        grouped(
            "x: R.Tensor((\"n\",), \"float32\")",
            """
            lv = R.exp(x)
            lv1 = R.match_cast(lv, R.Tensor((4,), "float32"))
            lv2 = R.sin(lv1)
            gv = R.cos(lv2)
            """);
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():",
            "  lv = R.call_tir(cls.tir_exp, (x,))",
            "  lv1 = R.match_cast(lv, R.Tensor((4,), dtype=\"float32\"))",
            "  gv = cls.fused_tir_sin_tir_cos(lv1)",
            "return gv");
  }

  @Test
  void constantsBecomeParameters() {
    IRModule module =
        grouped(
            "x: R.Tensor((4,), \"float32\")",
            """
            lv = R.add(x, R.const([1, 2, 3, 4], "float32"))
            gv = R.multiply(lv, R.const([5, 6, 7, 8], "float32"))
            """);
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():",
            "  gv = cls.fused_add_multiply(x, R.const(R.Tensor((4,), dtype=\"float32\")),"
                + " R.const(R.Tensor((4,), dtype=\"float32\")))",
            "return gv");
    RelaxFunction group = (RelaxFunction) module.require(new GlobalVar("fused_add_multiply"));
    assertThat(group.params())
        .extracting(Object::toString)
        .containsExactly("x", "param_0", "param_1");
    assertThat(group.isPrimitive()).isTrue();
  }

  @Test
  void sizesThatNoParameterSaysArePassed() {
    IRModule module =
        grouped(
            "s: R.Shape([\"n\", \"m\"])",
            """
            lv = R.ones((m, n), "float32")
            gv = R.exp(lv)
            """);
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():", "  gv = cls.fused_ones_tir_exp(R.shape([m, n]))", "return gv");
  }

  @Test
  void sizesOfParametersThatNothingElseSaysArePassed() {
    IRModule module =
        grouped(
            "s: R.Shape([\"n\"]), x: R.Tensor((n * 2, 4), \"float32\")",
            """
            lv = R.exp(x)
            gv = R.sum(lv, axis=[0])
            """);
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():", "  gv = cls.fused_tir_exp_sum(x, R.shape([n]))", "return gv");
  }

  @Test
  void joinsWhatMakesSeveralOutputsWithWhatUsesThem() {
    IRModule module =
        grouped(
            X,
            """
            lv = R.split(x, 2, axis=1)
            lv1 = lv[0]
            lv2 = lv[1]
            gv = R.add(lv1, lv2)
            """);
    assertThat(Stages.main(module))
        .containsExactly("with R.dataflow():", "  gv = cls.fused_split_add(x)", "return gv");
  }

  @Test
  void partsOfTuplesFromOutsideStayOutside() {
    IRModule module =
        grouped(
            "t: R.Tuple(R.Tensor((4,), \"float32\"), R.Tensor((4,), \"float32\"))",
            """
            lv = t[1]
            lv1 = R.exp(lv)
            gv = R.sin(lv1)
            """);
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():",
            "  lv = t[1]",
            "  gv = cls.fused_tir_exp_tir_sin(lv)",
            "return gv");
  }

  @Test
  void partsOfTuplesAloneAreNoGroup() {
    IRModule module =
        grouped(
            "t: R.Tuple(R.Tuple(R.Tensor((4,), \"float32\")))",
            """
            lv = t[0]
            lv1 = lv[0]
            gv = R.exp(lv1)
            """);
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():",
            "  lv = t[0]",
            "  lv1 = lv[0]",
            "  gv = R.call_tir(cls.tir_exp, (lv1,))",
            "return gv");
  }

  @Test
  void equalGroupsAreOneFunction() {
    IRModule module =
        Stages.grouped(
            Stages.parse(
                """
                @R.function
                def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(("m", 4), "float32")):
                    with R.dataflow():
                        lv = R.exp(x)
                        gv = R.sin(lv)
                        lv1 = R.exp(y)
                        gv1 = R.sin(lv1)
                        R.output(gv, gv1)
                    return (gv, gv1)
                """));
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():",
            "  gv = cls.fused_tir_exp_tir_sin(x)",
            "  gv1 = cls.fused_tir_exp_tir_sin(y)",
            "return (gv, gv1)");
  }

  @Test
  void whatReadsAnArgumentDoesNotWaitUntilItIsOverwritten() {
    IRModule module =
        Stages.run(
            Stages.parse(
                """
                @T.prim_func(private=True)
                def half(A: T.Buffer((T.int64(4),), "float32")):
                    T.func_attr({"op_pattern": 8})
                    for i in T.grid(T.int64(4)):
                        with T.block("b"):
                            vi = T.axis.remap("S", [i])
                            T.reads(A[vi])
                            T.writes(A[vi])
                            A[vi] = A[vi] * T.float32(0.5)

                @R.function
                def main(x: R.Tensor((4,), "float32")):
                    with R.dataflow():
                        lv = R.exp(x)
                        lv1 = R.sin(lv)
                        lv2 = R.call_tir_inplace(cls.half, (lv,), out_ty=R.Tensor((4,), dtype="float32"), inplace_indices=[0])
                        lv3 = R.cos(lv1)
                        gv = R.add(lv2, lv3)
                        R.output(gv)
                    return gv
                """),
            new LegalizeOps(),
            new AnnotateTIROpPattern(),
            new FuseOps());
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():",
            "  lv = R.call_tir(cls.tir_exp, (x,))",
            "  lv1 = R.call_tir(cls.tir_sin, (lv,))",
            "  lv2 = R.call_tir_inplace(cls.half, (lv,), inplace_indices=[0])",
            "  gv = cls.fused_tir_cos_add(lv1, lv2)",
            "return gv");
  }

  @Test
  void aKernelOfATensorOfUnknownShapeIsInNoGroup() {
    IRModule module =
        Stages.run(
            Stages.parse(
                """
                @T.prim_func(private=True)
                def copy(A: T.Buffer((m,), "float32"), B: T.Buffer((T.int64(4),), "float32")):
                    T.func_attr({"op_pattern": 2})
                    for i in T.grid(T.int64(4)):
                        with T.block("b"):
                            vi = T.axis.remap("S", [i])
                            T.reads(A[vi])
                            T.writes(B[vi])
                            B[vi] = A[vi]

                @R.function
                def main(x: R.Tensor(dtype="float32", ndim=1)):
                    with R.dataflow():
                        lv = R.call_tir(cls.copy, (x,), out_ty=R.Tensor((4,), dtype="float32"))
                        gv = R.cos(lv)
                        R.output(gv)
                    return gv
                """),
            new LegalizeOps(),
            new AnnotateTIROpPattern(),
            new FuseOps());
    assertThat(Stages.main(module))
        .containsExactly(
            "with R.dataflow():",
            "  lv = R.call_tir(cls.copy, (x,))",
            "  gv = R.call_tir(cls.tir_cos, (lv,))",
            "return gv");
  }

  @Test
  void functionsForOtherCompilersStay() {
    IRModule legal =
        Stages.legal(
            Stages.parse(
                """
                @R.function
                def main(x: R.Tensor((4,), "float32")):
                    R.func_attr({"Codegen": "other"})
                    with R.dataflow():
                        lv = R.exp(x)
                        gv = R.cos(lv)
                        R.output(gv)
                    return gv
                """));
    assertThat(Stages.main(Stages.run(legal, new FuseOps()))).isEqualTo(Stages.main(legal));
  }
}
