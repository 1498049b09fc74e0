package org.relaxvm.compiler.objects.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.compiler.objects.node.Problems;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.text.TirText;

/** Kernels with int32 indices are kernels with int64 indices. */
class IndexWidthTest {
  private final KernelNodes k = new KernelNodes(new NodeMaker(Graphs.TYPES));
  private final Problems problems = new Problems();
  private final ScalarReader scalars = new ScalarReader(problems);

  private String read(ObjectNode kernel) {
    String text =
        TirText.print(KernelReader.read("f", kernel, scalars, problems, "<root>").orElseThrow());
    problems.throwIfAny("none is expected");
    return text;
  }

  @Test
  void countersAndTheirArithmeticAreWideAndValuesKeepTheirType() {
    ObjectNode a = k.buffer("A", DType.INT32, k.int32(8));
    ObjectNode b = k.buffer("B", DType.FLOAT32, k.int32(8));
    ObjectNode i = k.var("i", DType.INT32);
    ObjectNode load = k.load(a, DType.INT32, i);
    ObjectNode body =
        k.seq(
            // A counter as a value.
            k.store(a, i, k.binary("Sub", DType.INT32, k.int32(7), i)),
            // Arithmetic with data.
            k.store(a, k.binary("Add", DType.INT32, load, i), i),
            // Data as an index, and arithmetic with it.
            k.store(b, k.cast(DType.FLOAT32, i), k.binary("Add", DType.INT32, load, i)),
            k.store(b, k.cast(DType.FLOAT32, k.cast(DType.INT64, i)), load),
            k.store(
                a,
                k.select(DType.INT32, k.binary("LT", DType.BOOL, i, k.int32(4)), i, k.int32(0)),
                i),
            // Data alone.
            k.store(a, k.binary("Mul", DType.INT32, load, k.int32(3)), i));
    assertThat(read(k.kernel(k.loop(i, k.int32(8), body), a, b)))
        .isEqualTo(
            """
            # relaxvm tir 1
            @T.prim_func
            def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "float32")):
                for i in range(8):
                    A[7 - i] = T.Cast("int32", i)
                    A[i] = T.Cast("int32", T.Cast("int64", A[i]) + i)
                    B[T.Cast("int64", A[i]) + i] = T.Cast("float32", i)
                    B[T.Cast("int64", A[i])] = T.Cast("float32", i)
                    A[i] = T.Cast("int32", T.Select(i < 4, i, 0))
                    A[i] = A[i] * T.int32(3)
            """);
  }

  @Test
  void extentsAreWideUnlessTheyAreParameters() {
    ObjectNode n = k.var("n", DType.INT32);
    ObjectNode m = k.var("m", DType.INT32);
    ObjectNode a = k.buffer("A", DType.FLOAT32, n, m);
    ObjectNode i = k.var("i", DType.INT32);
    ObjectNode body = k.store(a, k.load(a, DType.FLOAT32, i, k.int32(0)), i, k.int32(1));
    assertThat(read(k.kernel(k.loop(i, n, k.loop(k.var("j", DType.INT32), m, body)), a, m)))
        .isEqualTo(
            """
            # relaxvm tir 1
            @T.prim_func
            def f(A: T.Buffer((n, T.Cast("int64", m)), "float32"), m: T.int32):
                n = T.int64()
                for i in range(n):
                    for j in range(T.Cast("int64", m)):
                        A[i, 1] = A[i, 0]
            """);
  }

  @Test
  void aKernelOfWideIndicesKeepsInt32Counters() {
    ObjectNode a = k.buffer("A", DType.INT32, k.int64(4));
    ObjectNode i = k.var("i", DType.INT32);
    ObjectNode body = k.store(a, i, k.cast(DType.INT64, i));
    assertThat(read(k.kernel(k.loop(i, k.int32(4), body), a)))
        .isEqualTo(
            """
            # relaxvm tir 1
            @T.prim_func
            def f(A: T.Buffer((4,), "int32")):
                for i in range(T.int32(4)):
                    A[T.Cast("int64", i)] = i
            """);
  }

  @Test
  void aVariableIsWideWithinItsKernelOnly() {
    ObjectNode n = k.var("n", DType.INT32);
    ObjectNode a = k.buffer("A", DType.FLOAT32, n);
    assertThat(read(k.kernel(k.store(a, k.load(a, DType.FLOAT32, k.int32(0)), k.int32(0)), a)))
        .contains("A[0] = A[0]");
    Var outside = scalars.variable(n, "<root>");
    assertThat(outside.dtype()).isEqualTo(DType.INT32);
  }

  @Test
  void axesAreWide() {
    ObjectNode a = k.buffer("A", DType.FLOAT32, k.int32(4));
    ObjectNode i = k.var("i", DType.INT32);
    ObjectNode v = k.var("v", DType.INT32);
    ObjectNode block =
        k.block(
            "b",
            List.of(k.axis(v, k.int32(4), 3)),
            List.of(k.binary("Add", DType.INT32, i, k.int32(0))),
            Map.of("pragma", "x"),
            k.store(a, k.load(a, DType.FLOAT32, v), v));
    assertThat(read(k.kernel(k.loop(i, k.int32(4), block), a)))
        .isEqualTo(
            """
            # relaxvm tir 1
            @T.prim_func
            def f(A: T.Buffer((4,), "float32")):
                for i in range(4):
                    with T.block("b"):
                        v = T.axis.opaque(4, i + 0)
                        T.block_attr({"pragma": "x"})
                        A[v] = A[v]
            """);
  }
}
