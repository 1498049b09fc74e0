package org.relaxvm.tir.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.rewrite.StructuralEquality;

/** What TVM writes in other words than ours, and what we make of it. */
class TvmSpellingTest {
  private static final String DEF =
      "def f(A: T.Buffer((n,), \"float32\"), K: T.Buffer((4,), \"int32\"), n: T.int64):\n";

  private static PrimFunc only(String text) {
    List<PrimFunc> kernels = TirText.parse(text, "test");
    assertThat(kernels).hasSize(1);
    return kernels.getFirst();
  }

  private static void assertSame(String ours, String theirs) {
    assertThat(StructuralEquality.areEqual(only(ours), only(theirs))).isTrue();
  }

  /** Both bodies mean the same, and what is printed of theirs has this body. */
  private static void assertPrints(String ours, String theirs) {
    String kernel = "@T.prim_func\n" + DEF;
    PrimFunc read = only(kernel + theirs.indent(4));
    assertThat(TirText.print(read)).isEqualTo("# relaxvm tir 1\n" + kernel + ours.indent(4));
  }

  @Test
  void decoratorsSayHowKernelsWereMade() {
    String tail = DEF + "    A[0] = T.float32(1)\n";
    assertSame(
        "@T.prim_func(private=True)\n" + tail, "@T.prim_func(private=True, s_tir=True)\n" + tail);
    assertSame("@T.prim_func\n" + tail, "@T.prim_func(s_tir=True)\n" + tail);
    assertSame("@T.prim_func\n" + tail, "@T.prim_func(check_well_formed=False)\n" + tail);
  }

  @Test
  void blocksAreSblocks() {
    assertPrints(
        """
        with T.block("root"):
            C = T.alloc_buffer((n,), "float32")
            for ax0 in range(n):
                for k in range(10):
                    with T.block("C"):
                        v_ax0 = T.axis.spatial(n, ax0)
                        v_k = T.axis.reduce(10, k)
                        T.reads(A[v_ax0])
                        T.writes(C[v_ax0])
                        T.block_attr({"axis": 1, "schedule_rule": "pool"})
                        with T.init():
                            C[v_ax0] = T.float32(-3.4028234663852886e38)
                        C[v_ax0] = T.max(C[v_ax0], A[v_ax0])
            for ax0 in range(10):
                with T.block("unit"):
                    vi = T.axis.spatial(1, 0)
                    T.writes(A[vi])
                    A[vi] = C[0]
        """,
        """
        # with T.sblock("root"):
        C = T.sblock_alloc_buffer((n,))
        for ax0, k in T.grid(n, T.int64(10)):
            with T.sblock("C"):
                v_ax0, v_k = T.axis.remap("SR", [ax0, k])
                T.reads(A[v_ax0])
                T.writes(C[v_ax0])
                T.sblock_attr({"axis": 1, "schedule_rule": "pool"})
                with T.init():
                    C[v_ax0] = T.float32(-340282346638528859811704183484516925440.0)
                C[v_ax0] = T.max(C[v_ax0], A[v_ax0])
        for ax0 in range(T.int64(10)):
            with T.sblock("unit"):
                vi = T.axis.spatial(1, T.int64(0))
                T.reads()
                T.writes(A[vi])
                A[vi] = C[T.int64(0)]
        """);
  }

  @Test
  void blocksAllocateInside() {
    assertPrints(
        """
        with T.block("b"):
            C = T.alloc_buffer((4,), "int8", scope="local")
            C[0] = T.int8(1)
        """,
        """
        with T.sblock("b"):
            C = T.sblock_alloc_buffer((T.int64(4),), "int8", scope="local")
            C[T.int64(0)] = T.int8(1)
        """);
  }

  @Test
  void statementsStandOutsideOfBlocks() {
    assertSame(
        """
        @T.prim_func
        def shape_func(H: T.Buffer((3,), "int64")):
            T.func_attr({"tirx.is_host_func": True})
            H[2] = 8 * H[0] * H[1]
        """,
        """
        @T.prim_func(s_tir=True)
        def shape_func(H: T.Buffer((T.int64(3),), "int64")):
            T.func_attr({"tirx.is_host_func": True})
            H[T.int64(2)] = T.int64(8) * H[T.int64(0)] * H[T.int64(1)]
        """);
    assertPrints("pass\n", "T.evaluate(0)\n");
  }

  @Test
  void kernelsReturnScalars() {
    String ours = "@T.prim_func\ndef f(n: T.int64) -> T.int64:\n    return n * 2\n";
    assertSame(ours, ours.replace("return n * 2", "return n * T.int64(2)"));
    assertSame(ours, ours.replace("return n * 2", "T.ret(n * T.int64(2))"));
    assertSame(ours, ours.replace("return n * 2", "T.evaluate(T.ret(n * T.int64(2)))"));
  }

  @Test
  void handlesAreMatched() {
    assertSame(
        """
        @T.prim_func
        def f(x: T.Buffer((n, 4), "float32"), y: T.Buffer((n,), "float32")):
            y[0] = x[0, 0]
        """,
        """
        @T.prim_func(s_tir=True)
        def f(var_x: T.handle, var_y: T.handle):
            n = T.int64()
            x = T.match_buffer(var_x, (n, T.int64(4)))
            y = T.match_buffer(var_y, (n,), "float32")
            # with T.sblock("root"):
            y[T.int64(0)] = x[T.int64(0), T.int64(0)]
        """);
  }

  @Test
  void plainNumbersAreOfTheOtherArguments() {
    assertPrints("K[0] = T.int32(1)\n", "K[0] = 1\n");
    assertPrints("K[0] = T.max(K[1], T.int32(0))\n", "K[0] = T.max(K[1], 0)\n");
    assertPrints(
        "K[0] = T.if_then_else(n < 3, K[1], T.int32(0))\n",
        "K[0] = T.if_then_else(n < T.int64(3), K[1], 0)\n");
    assertPrints(
        "K[0] = T.if_then_else(n < 3, T.int32(1), T.Select(n < 2, T.int32(2), T.int32(3)))\n",
        "K[0] = T.if_then_else(n < 3, 1, T.Select(n < 2, 2, 3))\n");
    assertPrints(
        "K[0] = K[1] + T.Select(n < 2, T.int32(2), T.int32(-3))\n",
        "K[0] = K[1] + T.Select(n < 2, 2, -3)\n");
    assertPrints("K[0] = T.shift_left(K[1], T.int32(2))\n", "K[0] = T.shift_left(K[1], 2)\n");
    assertPrints("A[0] = T.pow(A[1], T.float32(2))\n", "A[0] = T.pow(A[1], 2)\n");
    assertPrints("return T.if_then_else(n < 3, 1, 2)\n", "return T.if_then_else(n < 3, 1, 2)\n");
  }

  @Test
  void operatorsAreFunctionsToo() {
    assertPrints("return (1 + 2) * (3 - n)\n", "return T.Mul(T.Add(1, 2), T.Sub(3, n))\n");
    assertPrints(
        "return n / 2 + n // 3 + n % 4\n",
        "return T.Div(n, T.int64(2)) + T.FloorDiv(n, 3) + T.FloorMod(n, 4)\n");
    assertPrints(
        "return (n == 1 or n != 2) and (n < 3 or n <= 4)\n",
        "return T.And(T.Or(T.EQ(n, 1), T.NE(n, 2)), T.Or(T.LT(n, 3), T.LE(n, 4)))\n");
    assertPrints("return n > 1 or n >= 2\n", "return T.Or(T.GT(n, 1), T.GE(n, 2))\n");
    assertPrints("return T.truncmod(n, 2)\n", "return T.truncmod(n, T.int64(2))\n");
  }

  @Test
  void constantsAndCastsNameTheirDtype() {
    assertPrints("return True\n", "return T.bool(True)\n");
    assertPrints("return T.Cast(\"float32\", n)\n", "return T.float32(n)\n");
    assertPrints("return T.Cast(\"bool\", K[0])\n", "return T.Cast(\"bool\", K[T.int64(0)])\n");
    assertPrints(
        "A[0] = T.exp(A[1]) / T.rsqrt(A[2]) - T.min(A[3], T.float32(1.0000000168623835e-16))\n",
        "A[0] = T.exp(A[1]) / T.rsqrt(A[2]) - T.min(A[3], T.float32(1.0000000168623835e-16))\n");
  }

  @Test
  void annotationsNameTheirDtype() {
    String text =
        "@T.prim_func(private=True)\ndef f():\n    T.func_attr({\"tirx.noalias\": T.bool(True),"
            + " \"op_pattern\": T.int64(4), \"rate\": T.float32(0.5)})\n    pass\n";
    assertThat(only(text).attrs())
        .isEqualTo(Map.of("tirx.noalias", true, "op_pattern", 4L, "rate", 0.5));
  }

  @Test
  void kernelsAreNamedLikeFunctions() {
    PrimFunc kernel = only("@T.prim_func(s_tir=True)\ndef max():\n    pass\n");
    assertThat(kernel.name()).isEqualTo("max");
    assertThat(TirText.print(kernel))
        .isEqualTo("# relaxvm tir 1\n@T.prim_func(name=\"max\")\ndef max_():\n    pass\n");
  }
}
