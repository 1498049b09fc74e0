package org.relaxvm.tir.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.tir.eval.Ir.at;
import static org.relaxvm.tir.eval.Ir.block;
import static org.relaxvm.tir.eval.Ir.floats;
import static org.relaxvm.tir.eval.Ir.kernel;
import static org.relaxvm.tir.eval.Ir.longs;
import static org.relaxvm.tir.eval.Ir.number;
import static org.relaxvm.tir.eval.Ir.seq;
import static org.relaxvm.tir.eval.Ir.store;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.StructuralEquality;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.text.TirText;

/** Whole kernels, as operators become them. */
class EvaluatorKernelsTest {
  private final Var n = Var.index("n");
  private final Var m = Var.index("m");

  @Test
  void addsElementsOfASymbolicExtent() {
    PrimFunc add = broadcastAdd();
    for (int size : new int[] {1, 3, 10}) {
      Tensor a = Tensor.of(ramp(2 * size), Shape.of(2, size));
      Tensor b = Tensor.of(ramp(size), Shape.of(size));
      Tensor c = Tensor.zeros(DType.FLOAT32, Shape.of(2, size));
      assertThat(new Evaluator().run(add, List.of(a, b, c))).isEmpty();
      for (int i = 0; i < 2 * size; i++) {
        assertThat(c.toFloatArray()[i]).isEqualTo(i + i % size);
      }
    }
  }

  @Test
  void extentsOfZeroDoNothing() {
    Tensor a = Tensor.zeros(DType.FLOAT32, Shape.of(0, 3));
    Tensor b = Tensor.zeros(DType.FLOAT32, Shape.of(3));
    Tensor c = Tensor.zeros(DType.FLOAT32, Shape.of(0, 3));
    assertThat(new Evaluator().run(broadcastAdd(), List.of(a, b, c))).isEmpty();
    assertThat(c.toFloatArray()).isEmpty();
  }

  @Test
  void multipliesMatricesWithAnInitialValue() {
    Var k = Var.index("k");
    Buffer a = floats("A", n, k);
    Buffer b = floats("B", k, m);
    Buffer c = floats("C", n, m);
    PrimFunc matmul =
        kernel(
            block(
                "C",
                "SSR",
                List.of(n, m, k),
                v -> store(c, number(0), v.get(0), v.get(1)),
                v ->
                    store(
                        c,
                        Exprs.add(
                            c.load(v.get(0), v.get(1)),
                            Exprs.mul(a.load(v.get(0), v.get(2)), b.load(v.get(2), v.get(1)))),
                        v.get(0),
                        v.get(1))),
            a,
            b,
            c);
    Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));
    Tensor y = Tensor.of(new float[] {1, 0, 0, 1, 2, -1}, Shape.of(3, 2));
    Tensor z = Tensor.of(new float[] {9, 9, 9, 9}, Shape.of(2, 2));
    new Evaluator().run(matmul, List.of(x, y, z));
    assertThat(z.toFloatArray()).containsExactly(7, -1, 16, -1);
    // The same values through a transposed view of another memory, into a transposed output.
    Tensor columns = Tensor.of(new float[] {1, 4, 2, 5, 3, 6}, Shape.of(3, 2)).permute(1, 0);
    Tensor memory = Tensor.zeros(DType.FLOAT32, Shape.of(2, 2));
    new Evaluator().run(matmul, List.of(columns, y, memory.permute(1, 0)));
    assertThat(memory.toFloatArray()).containsExactly(7, 16, -1, -1);
  }

  @Test
  void softmaxNeedsBuffersBetweenItsBlocks() {
    Buffer x = floats("X", n, m);
    Buffer y = floats("Y", n, m);
    Buffer max = floats("max", n);
    Buffer exp = floats("exp", n, m);
    Buffer sum = floats("sum", n);
    List<PrimExpr> rows = List.of(n, m);
    PrimFunc softmax =
        kernel(
            Block.root(
                List.of(max, exp, sum),
                seq(
                    block(
                        "max",
                        "SR",
                        rows,
                        v -> store(max, number(Double.NEGATIVE_INFINITY), v.get(0)),
                        v -> store(max, Exprs.max(max.load(v.get(0)), x.load(v)), v.get(0))),
                    block(
                        "exp",
                        rows,
                        v ->
                            store(
                                exp,
                                Exprs.call(Intrinsic.EXP, Exprs.sub(x.load(v), max.load(v.get(0)))),
                                v.get(0),
                                v.get(1))),
                    block(
                        "sum",
                        "SR",
                        rows,
                        v -> store(sum, number(0), v.get(0)),
                        v -> store(sum, Exprs.add(sum.load(v.get(0)), exp.load(v)), v.get(0))),
                    block(
                        "div",
                        rows,
                        v ->
                            store(
                                y,
                                Exprs.binary(BinaryOp.DIV, exp.load(v), sum.load(v.get(0))),
                                v.get(0),
                                v.get(1))))),
            x,
            y);
    Tensor in = Tensor.of(new float[] {1, 2, 3, 1000, 1000, 1000}, Shape.of(2, 3));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(2, 3));
    new Evaluator().run(softmax, List.of(in, out));
    float e1 = (float) Math.exp(-2);
    float e2 = (float) Math.exp(-1);
    float total = e1 + e2 + 1;
    float third = 1f / 3;
    assertThat(out.toFloatArray())
        .containsExactly(e1 / total, e2 / total, 1 / total, third, third, third);
  }

  @Test
  void sumsAreRoundedAfterEachAddition() {
    for (DType dtype : List.of(DType.FLOAT16, DType.BFLOAT16)) {
      Buffer x = Buffer.of("X", dtype, List.of(n));
      Buffer y = Buffer.of("Y", dtype, List.of());
      PrimFunc sum =
          kernel(
              block(
                  "sum",
                  "R",
                  List.of(n),
                  v -> store(y, Exprs.constant(dtype, 0)),
                  v -> store(y, Exprs.add(y.load(), x.load(v)))),
              x,
              y);
      Tensor ones = Tensor.zeros(dtype, Shape.of(5000));
      ones.fill(1);
      Tensor out = Tensor.zeros(dtype, Shape.scalar());
      new Evaluator().run(sum, List.of(ones, out));
      assertThat(out.doubleAt()).isEqualTo(dtype.equals(DType.FLOAT16) ? 2048 : 256);
    }
  }

  @Test
  void floatsOfEightBitsAreCastToBeComputedWith() {
    PrimFunc kernel =
        TirText.parse(
                """
                @T.prim_func
                def f(x: T.handle, y: T.handle):
                    X = T.match_buffer(x, (4,), "float8_e5m2")
                    Y = T.match_buffer(y, (4,), "float8_e4m3fn")
                    for i in range(4):
                        Y[i] = T.float8_e4m3fn(T.float32(X[i]) * T.float32(1.1))
                """,
                "k.tir")
            .getFirst();
    assertThat(TirText.parse(TirText.print(kernel), "k.tir").getFirst())
        .matches(again -> StructuralEquality.areEqual(kernel, again));
    Tensor in = Tensor.of(new byte[] {0x3C, 0x44, 0x60, 0x7E}, DType.FLOAT8_E5M2, Shape.of(4));
    Tensor out = Tensor.zeros(DType.FLOAT8_E4M3FN, Shape.of(4));
    new Evaluator().run(kernel, List.of(in, out));
    assertThat(in.toFloatArray()).containsExactly(1, 4, 512, Float.NaN);
    assertThat(out.toFloatArray()).containsExactly(1.125f, 4.5f, Float.NaN, Float.NaN);
  }

  @Test
  void gathersUnderAGuard() {
    Buffer x = floats("X", n);
    Buffer indices = longs("I", m);
    Buffer y = floats("Y", m);
    PrimFunc gather =
        kernel(
            block(
                "gather",
                List.of(m),
                v -> {
                  PrimExpr i = indices.load(v);
                  PrimExpr inside = Exprs.and(Exprs.le(at(0), i), Exprs.lt(i, n));
                  return store(y, Exprs.ifThenElse(inside, x.load(i), number(-1)), v.get(0));
                }),
            x,
            indices,
            y);
    Tensor in = Tensor.of(ramp(4), Shape.of(4));
    Tensor at = Tensor.of(new long[] {3, -1, 0, 4, 2}, Shape.of(5));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(5));
    new Evaluator().run(gather, List.of(in, at, out));
    assertThat(out.toFloatArray()).containsExactly(3, -1, 0, -1, 2);
  }

  @Test
  void readsStridesAndOffsetsOfTensors() {
    Buffer x = longs("X", n, m);
    Buffer y = longs("Y", n, m);
    PrimFunc copy =
        kernel(block("copy", List.of(n, m), v -> store(y, x.load(v), v.get(0), v.get(1))), x, y);
    Tensor all = Tensor.of(LongStream.range(0, 24).toArray(), Shape.of(4, 6));
    Tensor out = Tensor.zeros(DType.INT64, Shape.of(2, 3));
    new Evaluator().run(copy, List.of(all.slice(0, 1, 3).slice(1, 2, 5), out));
    assertThat(out.toLongArray()).containsExactly(8, 9, 10, 14, 15, 16);
    new Evaluator().run(copy, List.of(all.stridedView(Shape.of(2, 3), new long[] {0, -2}, 5), out));
    assertThat(out.toLongArray()).containsExactly(5, 3, 1, 5, 3, 1);
  }

  private PrimFunc broadcastAdd() {
    Buffer a = floats("A", m, n);
    Buffer b = floats("B", n);
    Buffer c = floats("C", m, n);
    return kernel(
        block(
            "add",
            List.of(m, n),
            v -> store(c, Exprs.add(a.load(v), b.load(v.get(1))), v.get(0), v.get(1))),
        a,
        b,
        c);
  }

  private static float[] ramp(int size) {
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = i;
    }
    return values;
  }
}
