package org.relaxvm.backendtestkit.corpus;

import java.util.List;
import java.util.stream.Stream;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.AttentionOps;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;

/**
 * A kernel whose text in the languages of devices is kept as approved.
 *
 * @param wide whether it is written with indices of 64 bits
 * @param hasFloat64 whether the device computes with doubles
 */
public record ListedKernel(PrimFunc kernel, boolean wide, boolean hasFloat64) {
  @Override
  public String toString() {
    return kernel.name();
  }

  private static final String ELEMENTWISE =
      """
      def NAME(A: T.Buffer((n, 4), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((n, 4), "float32")):
          n = T.int64()
          for i, j in T.grid(n, 4):
              with T.block("C"):
                  v, w = T.axis.remap("SS", [i, j])
                  C[v, w] = T.max(T.exp(A[v, w] * B[w]) - T.float32(1), T.float32(0))
      """;

  private static final String SQUARES =
      """
      def NAME(A: T.Buffer((n,), "float64"), C: T.Buffer((n,), "float64")):
          n = T.int64()
          for i in range(n):
              with T.block("C"):
                  v = T.axis.spatial(n, i)
                  C[v] = A[v] * A[v]
      """;

  /** One of each kind, each with another name. */
  public static Stream<ListedKernel> all() {
    return Stream.of(
        listed("elementwise", ELEMENTWISE),
        new ListedKernel(kernel("elementwise_wide", ELEMENTWISE), true, true),
        listed(
            "row_sum",
            """
            def NAME(A: T.Buffer((n, m), "float32"), C: T.Buffer((n,), "float32")):
                n = T.int64()
                m = T.int64()
                for i, j in T.grid(n, m):
                    with T.block("sum"):
                        v, r = T.axis.remap("SR", [i, j])
                        with T.init():
                            C[v] = T.float32(0)
                        C[v] = C[v] + A[v, r]
            """),
        listed(
            "softmax",
            """
            def NAME(P: T.Buffer((n, m), "float32"), C: T.Buffer((n, m), "float32")):
                n = T.int64()
                m = T.int64()
                X = T.alloc_buffer((n,), "float32")
                S = T.alloc_buffer((n,), "float32")
                E = T.alloc_buffer((n, m), "float32")
                for i, j in T.grid(n, m):
                    with T.block("max"):
                        v, r = T.axis.remap("SR", [i, j])
                        with T.init():
                            X[v] = T.float32("-inf")
                        X[v] = T.max(X[v], P[v, r])
                for i, j in T.grid(n, m):
                    with T.block("exp"):
                        v, w = T.axis.remap("SS", [i, j])
                        E[v, w] = T.exp(P[v, w] - X[v])
                for i, j in T.grid(n, m):
                    with T.block("sum"):
                        v, r = T.axis.remap("SR", [i, j])
                        with T.init():
                            S[v] = T.float32(0)
                        S[v] = S[v] + E[v, r]
                for i, j in T.grid(n, m):
                    with T.block("div"):
                        v, w = T.axis.remap("SS", [i, j])
                        C[v, w] = E[v, w] / S[v]
            """),
        listed(
            "gather",
            """
            def NAME(A: T.Buffer((n,), "float32"), P: T.Buffer((m,), "int64"), C: T.Buffer((m,), "float32")):
                n = T.int64()
                m = T.int64()
                for i in range(m):
                    with T.block("C"):
                        v = T.axis.spatial(m, i)
                        C[v] = A[P[v]]
            """),
        listed(
            "half",
            """
            def NAME(A: T.Buffer((n,), "float16"), C: T.Buffer((n,), "float16")):
                n = T.int64()
                for i in range(n):
                    with T.block("C"):
                        v = T.axis.spatial(n, i)
                        C[v] = A[v] * A[v] + T.float16(1)
            """),
        listed(
            "bytes",
            """
            def NAME(A: T.Buffer((n,), "int8"), C: T.Buffer((n,), "int8")):
                n = T.int64()
                for i in range(n):
                    with T.block("C"):
                        v = T.axis.spatial(n, i)
                        C[v] = T.max(A[v] * A[v], T.int8(0)) + T.int8(100)
            """),
        listed(
            "rows_of_bfloat16",
            """
            def NAME(A: T.Buffer((n, m), "bfloat16"), B: T.Buffer((m,), "bfloat16"), D: T.Buffer((n,), "bfloat16"), C: T.Buffer((n, m), "bfloat16")):
                n = T.int64()
                m = T.int64()
                for i, j in T.grid(n, m):
                    with T.block("C"):
                        v, w = T.axis.remap("SS", [i, j])
                        C[v, w] = A[v, w] * B[w] + D[v]
            """),
        listed(
            "bytes_of_floats",
            """
            def NAME(A: T.Buffer((n,), "float8_e5m2"), B: T.Buffer((n,), "float8_e4m3fn"), C: T.Buffer((n,), "float8_e4m3fn")):
                n = T.int64()
                for i in range(n):
                    with T.block("C"):
                        v = T.axis.spatial(n, i)
                        C[v] = T.float8_e4m3fn(T.float32(A[v]) * T.float32(B[v]))
            """),
        listed(
            "truths",
            """
            def NAME(A: T.Buffer((n, m), "int8"), B: T.Buffer((n, m), "bool"), C: T.Buffer((n, m), "bool")):
                n = T.int64()
                m = T.int64()
                for i, j in T.grid(n, m):
                    with T.block("C"):
                        v, w = T.axis.remap("SS", [i, j])
                        C[v, w] = B[v, w] and A[v, w] < T.int8(3)
            """),
        new ListedKernel(attention(), false, true),
        new ListedKernel(fewRows("row_times_matrix", DType.FLOAT16, 1, 64, 96, false), false, true),
        new ListedKernel(
            fewRows("rows_times_transposed", DType.FLOAT32, 2, 70, 70, true), false, true),
        listed("doubles", SQUARES),
        new ListedKernel(kernel("doubles_by_bits", SQUARES), false, false));
  }

  private static PrimFunc attention() {
    KernelBuilder k = new KernelBuilder("attention");
    Var queries = k.extent("n");
    Var keys = k.extent("m");
    TensorExpr q =
        k.input("Q", DType.FLOAT32, List.of(IntImm.of(1), queries, IntImm.of(2), IntImm.of(8)));
    List<PrimExpr> shape = List.of(IntImm.of(1), keys, IntImm.of(2), IntImm.of(8));
    TensorExpr key = k.input("K", DType.FLOAT32, shape);
    TensorExpr value = k.input("V", DType.FLOAT32, shape);
    return k.build(
        AttentionOps.attention(
            k, "a", q, key, value, null, null, AttentionOps.CausalMask.TOP_LEFT));
  }

  private static PrimFunc fewRows(
      String name, DType dtype, long m, long k, long n, boolean transposed) {
    KernelBuilder kernel = new KernelBuilder(name);
    TensorExpr a = kernel.input("A", dtype, List.of(IntImm.of(m), IntImm.of(k)));
    List<PrimExpr> shape = List.of(IntImm.of(transposed ? n : k), IntImm.of(transposed ? k : n));
    TensorExpr b = kernel.input("B", dtype, shape);
    return kernel.build(
        transposed
            ? LinearOps.linear(kernel, "C", a, b, null)
            : LinearOps.matmul(kernel, "C", a, b, null));
  }

  private static ListedKernel listed(String name, String text) {
    return new ListedKernel(kernel(name, text), false, true);
  }

  private static PrimFunc kernel(String name, String text) {
    String whole = "@T.prim_func(private=True)\n" + text.replace("NAME", name);
    return TirText.parse(whole, name).getFirst();
  }
}
