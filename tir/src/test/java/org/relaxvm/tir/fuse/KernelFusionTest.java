package org.relaxvm.tir.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.op.BinaryOps;
import org.relaxvm.tir.op.JoinOps;
import org.relaxvm.tir.op.LibraryHint;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verifier;

class KernelFusionTest {
  static final DType F32 = DType.FLOAT32;

  private final Var n = Var.index("n");
  private final KernelFusion fusion = new KernelFusion("fused");

  static List<PrimExpr> shape(Object... extents) {
    List<PrimExpr> shape = new ArrayList<>();
    for (Object extent : extents) {
      shape.add(extent instanceof PrimExpr expr ? expr : IntImm.of((Integer) extent));
    }
    return shape;
  }

  static PrimFunc add(List<PrimExpr> a, List<PrimExpr> b) {
    KernelBuilder k = new KernelBuilder("add");
    return k.build(BinaryOps.add(k, "T_add", k.input("A", F32, a), k.input("B", F32, b)));
  }

  static PrimFunc relu(List<PrimExpr> shape) {
    KernelBuilder k = new KernelBuilder("relu");
    return k.build(ActivationOps.relu(k, "T_relu", k.input("A", F32, shape)));
  }

  private static List<CallOutput> like(Buffer buffer) {
    return List.of(CallOutput.fresh(buffer.dtype(), buffer.shape()));
  }

  private Buffer one(PrimFunc callee, Buffer... tensors) {
    return fusion.call(callee, List.of(tensors), List.of(), like(tensors[0])).getFirst();
  }

  private static double[] run(PrimFunc kernel, Object... args) {
    Verifier.verify(kernel);
    new Evaluator().run(kernel, List.of(args));
    return ((Tensor) args[args.length - 1]).toDoubleArray();
  }

  private static Tensor floats(double... values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      floats[i] = (float) values[i];
    }
    return Tensor.of(floats, Shape.of(values.length));
  }

  @Test
  void whatIsBetweenCallsIsMemoryAndResultsAreParameters() {
    Buffer x = fusion.input("x", F32, shape(n));
    Buffer b = fusion.input("b", F32, shape(n));
    Var i = Var.index("i");
    Buffer sum = one(add(shape(i), shape(i)), x, b);
    Buffer result = one(relu(shape(i)), sum);
    assertThat(TirText.print(fusion.build(List.of(result), List.of())))
        .isEqualTo(
            """
            # relaxvm tir 1
            @T.prim_func(private=True)
            def fused(x: T.Buffer((n,), "float32"), b: T.Buffer((n,), "float32"), p_output0: T.Buffer((n,), "float32")):
                n = T.int64()
                with T.block("root"):
                    T_add_intermediate = T.alloc_buffer((n,), "float32")
                    for i0 in range(n):
                        with T.block("T_add"):
                            v_i0 = T.axis.spatial(n, i0)
                            T.reads(x[v_i0], b[v_i0])
                            T.writes(T_add_intermediate[v_i0])
                            T_add_intermediate[v_i0] = x[v_i0] + b[v_i0]
                    for i0 in range(n):
                        with T.block("T_relu"):
                            v_i0 = T.axis.spatial(n, i0)
                            T.reads(T_add_intermediate[v_i0])
                            T.writes(p_output0[v_i0])
                            p_output0[v_i0] = T.max(T_add_intermediate[v_i0], T.float32(0))
            """);
  }

  @Test
  void callsOfOneKernelGetNamesOfTheirOwn() {
    Buffer x = fusion.input("x", F32, shape(4));
    Buffer again = fusion.input("x", F32, shape(4));
    PrimFunc add = add(shape(4), shape(4));
    Buffer first = one(add, x, again);
    Buffer second = one(add, first, x);
    Buffer third = one(add, second, x);
    PrimFunc fused = fusion.build(List.of(third), List.of());
    assertThat(fused.params().stream().map(Param::name)).containsExactly("x", "x_1", "p_output0");
    assertThat(TirText.print(fused))
        .contains("T.block(\"T_add\")", "T.block(\"T_add_1\")", "T.block(\"T_add_2\")")
        .contains("T_add_intermediate = ", "T_add_intermediate_1 = ");
    assertThat(run(fused, floats(1, 2, 3, 4), floats(1, 1, 1, 1), floats(0, 0, 0, 0)))
        .containsExactly(4, 7, 10, 13);
  }

  @Test
  void nothingIsSharedWithTheKernelsThatAreCalled() {
    Buffer x = fusion.input("x", F32, shape(4));
    PrimFunc relu = relu(shape(4));
    String before = TirText.print(relu);
    PrimFunc fused = fusion.build(List.of(one(relu, x)), List.of());
    assertThat(TirText.print(relu)).isEqualTo(before);
    assertThat(fused.buffers()).doesNotContain(x).doesNotContainAnyElementsOf(relu.buffers());
  }

  @Test
  void namesOfTensorsBecomeIdentifiers() {
    fusion.input("layer/0:out", F32, shape(4));
    fusion.input("0", F32, shape(4));
    fusion.input("", F32, shape(4));
    assertThat(fusion.build(List.of(), List.of()).params().stream().map(Param::name))
        .containsExactly("layer_0_out", "_0", "_");
  }

  @Test
  void oneTensorMayBeSeveralArguments() {
    Buffer x = fusion.input("x", F32, shape(4));
    PrimFunc fused = fusion.build(List.of(one(add(shape(4), shape(4)), x, x)), List.of());
    assertThat(TirText.print(fused)).contains("T.reads(x[v_i0])\n");
    assertThat(run(fused, floats(1, 2, 3, 4), floats(0, 0, 0, 0))).containsExactly(2, 4, 6, 8);
  }

  @Test
  void severalResultsAreParametersInTheOrderAskedFor() {
    Buffer x = fusion.input("x", F32, shape(4));
    KernelBuilder k = new KernelBuilder("split");
    List<TensorExpr> halves = JoinOps.split(k, "half", k.input("A", F32, shape(4)), 2, 0);
    PrimFunc split = k.build(halves.toArray(TensorExpr[]::new));
    CallOutput half = CallOutput.fresh(F32, shape(2));
    List<Buffer> both = fusion.call(split, List.of(x), List.of(), List.of(half, half));
    Buffer changed = one(relu(shape(2)), both.get(1));
    PrimFunc fused = fusion.build(List.of(changed, both.get(0)), List.of());
    assertThat(fused.params().stream().map(Param::name))
        .containsExactly("x", "p_output0", "p_output1");
    Tensor relu = floats(9, 9);
    assertThat(run(fused, floats(-1, -2, -3, 4), relu, floats(0, 0))).containsExactly(-1, -2);
    assertThat(relu.toDoubleArray()).containsExactly(0, 4);
  }

  /** {@code A += 1}. */
  private static PrimFunc increment() {
    return TirText.parse(
            """
            # relaxvm tir 1
            @T.prim_func
            def increment(A: T.Buffer(("i",), "float32")):
                with T.block("root"):
                    for k in range(i):
                        with T.block("A"):
                            v = T.axis.spatial(i, k)
                            A[v] = A[v] + T.float32(1)
            """,
            "test")
        .getFirst();
  }

  @Test
  void resultsInPlaceAreTheArgumentsThemselves() {
    Buffer x = fusion.input("x", F32, shape(n));
    List<Buffer> changed =
        fusion.call(increment(), List.of(x), List.of(), List.of(CallOutput.inPlace(0)));
    assertThat(changed).containsExactly(x);
    assertThat(fusion.isInput(changed.getFirst())).isTrue();
    Buffer positive = one(relu(shape(Var.index("i"))), x);
    assertThat(fusion.isInput(positive)).isFalse();
    List<Buffer> again =
        fusion.call(increment(), List.of(positive), List.of(), List.of(CallOutput.inPlace(0)));
    assertThat(again).containsExactly(positive);
    PrimFunc fused = fusion.build(again, List.of());
    Tensor in = floats(-3, 2);
    assertThat(run(fused, in, floats(0, 0))).containsExactly(1, 4);
    assertThat(in.toDoubleArray()).containsExactly(-2, 3);
  }

  /** {@code A + by}, with the scalar before the output or after it. */
  private static PrimFunc shifted(boolean trailing) {
    KernelBuilder k = new KernelBuilder("shift");
    TensorExpr a = k.input("A", F32, shape(Var.index("i")));
    Var by = k.scalar("by", F32);
    PrimFunc inline = k.build(k.compute("B", a.shape(), i -> Exprs.add(a.at(i), by)));
    List<Param> params = new ArrayList<>(inline.params());
    if (trailing) {
      params.add(params.remove(1));
    }
    return new PrimFunc(inline.name(), params, DType.VOID, inline.body(), Map.of());
  }

  @Test
  void scalarsStandAtTheirPosition() {
    for (boolean trailingInCallee : new boolean[] {false, true}) {
      KernelFusion inline = new KernelFusion("fused");
      Var by = inline.scalar("by", F32);
      Buffer x = inline.input("x", F32, shape(n));
      List<Buffer> result =
          inline.call(shifted(trailingInCallee), List.of(x), List.of(Exprs.add(by, by)), like(x));
      PrimFunc fused = inline.build(result, List.of());
      assertThat(fused.params().stream().map(Param::name)).containsExactly("by", "x", "p_output0");
      assertThat(run(fused, 2.0, floats(1, 2), floats(0, 0))).containsExactly(5, 6);
    }
  }

  @Test
  void scalarsStandAfterOutputs() {
    Var by = new Var("by", F32);
    Buffer x = fusion.input("x", F32, shape(n));
    List<Buffer> result = fusion.call(shifted(false), List.of(x), List.of(by), like(x));
    PrimFunc fused = fusion.build(result, List.of(by, n));
    assertThat(fused.params().stream().map(Param::name))
        .containsExactly("x", "p_output0", "by", "n");
    Verifier.verify(fused);
    Tensor out = floats(0, 0);
    new Evaluator().run(fused, List.of(floats(1, 2), out, 3.0, 2L));
    assertThat(out.toDoubleArray()).containsExactly(4, 5);
  }

  @Test
  void extentsAreLearnedFromArguments() {
    Var m = Var.index("m");
    Buffer x = fusion.input("x", F32, shape(Exprs.mul(n, 2), m));
    Var i = Var.index("i");
    Var j = Var.index("j");
    // Alone, and within a matmul.
    Buffer sum = one(add(shape(i, j), shape(i, j)), x, x);
    Buffer same = one(relu(shape(Exprs.mul(i, 2), j)), sum);
    Buffer known = fusion.input("k", F32, shape(3));
    Buffer row = one(relu(shape(Var.index("r"))), known);
    PrimFunc fused = fusion.build(List.of(same, row), List.of(n));
    Tensor in = Tensor.of(new float[] {1, -2, 3, -4}, Shape.of(2, 2));
    Tensor out = Tensor.zeros(F32, Shape.of(2, 2));
    Tensor rowOut = floats(0, 0, 0);
    Verifier.verify(fused);
    new Evaluator().run(fused, List.of(in, floats(-1, 0, 1), out, rowOut, 1L));
    assertThat(out.toDoubleArray()).containsExactly(2, 0, 6, 0);
    assertThat(rowOut.toDoubleArray()).containsExactly(0, 0, 1);
  }

  @Test
  void extentsOfOneKernelMayBeConstantsOfTheOther() {
    Buffer x = fusion.input("x", F32, shape(n));
    PrimFunc fused = fusion.build(List.of(one(relu(shape(4)), x)), List.of());
    assertThat(run(fused, floats(-1, 1, -2, 2), floats(0, 0, 0, 0))).containsExactly(0, 1, 0, 2);
  }

  static PrimFunc matmul(PrimExpr a, PrimExpr b, PrimExpr c) {
    KernelBuilder k = new KernelBuilder("matmul");
    TensorExpr left = k.input("A", F32, List.of(a, b));
    return k.build(LinearOps.matmul(k, "matmul", left, k.input("B", F32, List.of(b, c)), null));
  }

  private Buffer matmul(Buffer a, Buffer b) {
    PrimFunc matmul = matmul(Var.index("i"), Var.index("j"), Var.index("k"));
    List<PrimExpr> shape = List.of(a.shape().get(0), b.shape().get(1));
    return fusion
        .call(matmul, List.of(a, b), List.of(), List.of(CallOutput.fresh(F32, shape)))
        .getFirst();
  }

  @Test
  void theOnlyHintIsCarriedInTermsOfTheNewKernel() {
    Buffer x = fusion.input("x", F32, shape(n, 8));
    Buffer w = fusion.input("w", F32, shape(8, 5));
    Buffer matmul = matmul(x, w);
    Buffer result = one(relu(shape(Var.index("i"), 5)), matmul);
    PrimFunc fused = fusion.build(List.of(result), List.of());
    assertThat(fused.attrs())
        .isEqualTo(
            Map.of(
                "library",
                "relaxvm.matmul",
                "library.args",
                "x, w, null, false, false, 'none', matmul_intermediate"));
    assertThat(fusionOfOne().attrs().get(LibraryHint.ARGS))
        .isEqualTo("x, w, null, false, false, 'none', p_output0");
  }

  private static PrimFunc fusionOfOne() {
    KernelFusion alone = new KernelFusion("alone");
    Buffer x = alone.input("x", F32, shape(2, 3));
    Buffer w = alone.input("w", F32, shape(3, 4));
    CallOutput out = CallOutput.fresh(F32, shape(2, 4));
    PrimFunc matmul = matmul(IntImm.of(2), IntImm.of(3), IntImm.of(4));
    return alone.build(alone.call(matmul, List.of(x, w), List.of(), List.of(out)), List.of());
  }

  @Test
  void oneOfTwoHintsIsNotCarried() {
    Buffer x = fusion.input("x", F32, shape(n, 8));
    Buffer w = fusion.input("w", F32, shape(8, 8));
    Buffer first = matmul(x, w);
    Buffer second = matmul(x, w);
    assertThat(fusion.build(List.of(first, second), List.of()).attrs()).isEmpty();
  }

  @Test
  void aHintOfWhatIsComputedBeforeIsNotCarried() {
    Buffer x = fusion.input("x", F32, shape(n, 8));
    Buffer w = fusion.input("w", F32, shape(8, 8));
    Buffer positive = one(relu(shape(Var.index("i"), 8)), x);
    assertThat(fusion.build(List.of(matmul(positive, w)), List.of()).attrs()).isEmpty();
  }
}
