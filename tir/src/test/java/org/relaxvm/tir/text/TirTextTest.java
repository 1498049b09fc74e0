package org.relaxvm.tir.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.StructuralEquality;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** The exact text of kernels, and what may be written otherwise. */
class TirTextTest {
  private static final String SCALE =
      """
      # relaxvm tir 1
      @T.prim_func
      def scale(A: T.Buffer((m, 4), "float32"), k: T.float32, B: T.Buffer((m, 4), "float32")):
          T.func_attr({"op_pattern": 0, "note": "a\\nb", "rate": 0.5, "noalias": True})
          m = T.int64()
          with T.block("root"):
              C = T.alloc_buffer((m, 4), "float32", scope="shared")
              for i in T.parallel(m, annotations={"step": 2}):
                  for j in range(4):
                      with T.block("b"):
                          vi = T.axis.spatial(m, i)
                          vj = T.axis.reduce((1, 5), j + 1)
                          T.where(i < 3 and not j == 2)
                          T.reads(A[vi, vj], A[0:4, vi])
                          T.writes(B[vi, vj:vj + 2])
                          T.block_attr({"tile": "x"})
                          with T.init():
                              C[vi, vj] = T.float32(0)
                          C[vi, vj] = C[vi, vj] + A[vi, vj] * k
                          B[vi, vj] = T.max(C[vi, vj], T.float32(-1.5)) - (k - k)
      """;

  private static final String THREADS =
      """
      # relaxvm tir 1
      @T.prim_func(private=True)
      def threads(A: T.Buffer((), "int8"), n: T.int32, B: T.Buffer((8,), "bool", strides=(2,), elem_offset=3)) -> T.int64:
          for tx in T.thread_binding(n, thread="threadIdx.x"):
              for u in T.unroll(T.int32(2), n):
                  if B[T.Cast("int64", tx)]:
                      with T.LetStmt(T.truncmod(tx, u), var=x):
                          A[()] = T.if_then_else(x < u, T.int8(-3), A[()])
                  elif tx == u:
                      pass
                  else:
                      T.call_packed("trace", A, tx, "text")
          return 0
      """;

  private static PrimFunc only(String text) {
    List<PrimFunc> functions = TirText.parse(text, "test");
    assertThat(functions).hasSize(1);
    return functions.getFirst();
  }

  private static String printed(String text) {
    return TirText.print(only(text));
  }

  private static String body(String... lines) {
    return "def f(A: T.Buffer((n,), \"float32\"), n: T.int64):\n    "
        + String.join("\n    ", lines);
  }

  private static void assertSame(String expected, String other) {
    assertThat(StructuralEquality.areEqual(only(expected), only(other))).isTrue();
  }

  private static void assertSameBody(String expected, String... lines) {
    assertSame("@T.prim_func\n" + body(expected.split("\n    ")), "@T.prim_func\n" + body(lines));
  }

  private static String exprText(PrimExpr expr) {
    String text =
        TirText.print(new PrimFunc("f", List.of(), DType.VOID, new Return(expr), Map.of()));
    assertThat(((Return) only(text).body()).value().dtype()).isEqualTo(expr.dtype());
    return text.substring(text.indexOf("return ") + 7).strip();
  }

  @Test
  void schedulableKernelPrintsAsWritten() {
    assertThat(printed(SCALE)).isEqualTo(SCALE);
  }

  @Test
  void threadsAndBranchesPrintAsWritten() {
    assertThat(printed(THREADS)).isEqualTo(THREADS);
  }

  @Test
  void builtKernelPrintsItsSymbols() {
    Var n = Var.index("n");
    Buffer a = Buffer.of("A", DType.FLOAT32, List.of(n));
    Var i = Var.index("i");
    Stmt store =
        new BufferStore(
            a, new Binary(BinaryOp.MUL, a.load(i), new FloatImm(DType.FLOAT32, 2)), List.of(i));
    assertThat(TirText.print(PrimFunc.of("twice", List.of(a), For.serial(i, n, store))))
        .isEqualTo(
            """
            # relaxvm tir 1
            @T.prim_func(private=True)
            def twice(A: T.Buffer((n,), "float32")):
                n = T.int64()
                for i in range(n):
                    A[i] = A[i] * T.float32(2)
            """);
  }

  @Test
  void namesAreMadeUniqueWhereBothAreSeen() {
    Var outer = Var.index("i");
    Var inner = Var.index("i");
    Var next = Var.index("i");
    Var keyword = Var.index("for");
    Stmt use =
        new CallPacked(
            "f", List.of(new PackedArg.OfScalar(inner), new PackedArg.OfScalar(keyword)));
    Stmt loops = For.serial(outer, IntImm.of(2), For.of(ForKind.PARALLEL, inner, outer, use));
    Stmt again = For.serial(next, IntImm.of(3), new Seq(List.of()));
    PrimFunc kernel =
        new PrimFunc(
            "two words",
            List.of(new Param.OfScalar(keyword)),
            DType.VOID,
            new Seq(List.of(loops, again, new Seq(List.of(new Return(keyword))))),
            Map.of());
    assertThat(TirText.print(List.of(kernel, kernel)))
        .isEqualTo(
            """
            # relaxvm tir 1
            @T.prim_func(private=True, name="two words")
            def two_words(for_: T.int64):
                for i in range(2):
                    for i_1 in T.parallel(i):
                        T.call_packed("f", i_1, for_)
                for i in range(3):
                    pass
                with T.Seq():
                    return for_

            @T.prim_func(private=True, name="two words")
            def two_words_1(for_: T.int64):
                for i in range(2):
                    for i_1 in T.parallel(i):
                        T.call_packed("f", i_1, for_)
                for i in range(3):
                    pass
                with T.Seq():
                    return for_
            """);
  }

  @Test
  void sharedCounterIsDeclaredAndStaysOne() {
    Var i = Var.index("i");
    Stmt loop = For.serial(i, IntImm.of(2), new Seq(List.of()));
    PrimFunc kernel =
        new PrimFunc("f", List.of(), DType.VOID, new Seq(List.of(loop, loop)), Map.of());
    String text = TirText.print(kernel);
    assertThat(text).contains("    i = T.int64()\n    for i in range(2):");
    assertThat(StructuralEquality.areEqual(kernel, only(text))).isTrue();
  }

  @Test
  void parenthesesKeepTheTree() {
    Var a = Var.index("a");
    Var b = Var.index("b");
    Var c = Var.index("c");
    assertThat(exprText(new Binary(BinaryOp.ADD, new Binary(BinaryOp.ADD, a, b), c)))
        .isEqualTo("a + b + c");
    assertThat(exprText(new Binary(BinaryOp.ADD, a, new Binary(BinaryOp.ADD, b, c))))
        .isEqualTo("a + (b + c)");
    assertThat(exprText(new Binary(BinaryOp.MUL, new Binary(BinaryOp.SUB, a, b), c)))
        .isEqualTo("(a - b) * c");
    Binary less = new Binary(BinaryOp.LT, a, b);
    assertThat(exprText(new Binary(BinaryOp.EQ, less, new Not(less))))
        .isEqualTo("(a < b) == (not a < b)");
    assertThat(exprText(new Not(new Binary(BinaryOp.OR, less, new Not(new Not(less))))))
        .isEqualTo("not (a < b or not not a < b)");
    assertThat(
            exprText(
                new Binary(
                    BinaryOp.MUL,
                    IntImm.of(-2),
                    new Binary(BinaryOp.ADD, IntImm.of(1), IntImm.of(-0)))))
        .isEqualTo("-2 * (1 + 0)");
  }

  @Test
  void numbersAreShortAndExact() {
    Map<PrimExpr, String> texts = new LinkedHashMap<>();
    texts.put(IntImm.of(Long.MIN_VALUE), "-9223372036854775808");
    texts.put(IntImm.of(true), "True");
    texts.put(new IntImm(DType.UINT64, -1), "T.uint64(18446744073709551615)");
    texts.put(new IntImm(DType.INT8, -128), "T.int8(-128)");
    texts.put(new FloatImm(DType.FLOAT32, 2), "T.float32(2)");
    texts.put(new FloatImm(DType.FLOAT64, -0.0), "T.float64(-0.0)");
    texts.put(new FloatImm(DType.FLOAT64, 0.1), "T.float64(0.1)");
    texts.put(new FloatImm(DType.FLOAT16, 1e300), "T.float16(1e300)");
    texts.put(new FloatImm(DType.FLOAT32, 1.5e-7), "T.float32(1.5e-7)");
    texts.put(new FloatImm(DType.BFLOAT16, Double.NaN), "T.bfloat16(\"nan\")");
    texts.put(new FloatImm(DType.FLOAT8_E4M3FN, 0.5), "T.float8_e4m3fn(0.5)");
    texts.put(new FloatImm(DType.FLOAT8_E5M2, Double.NaN), "T.float8_e5m2(\"nan\")");
    texts.put(new FloatImm(DType.FLOAT32, Double.POSITIVE_INFINITY), "T.float32(\"inf\")");
    texts.put(new FloatImm(DType.FLOAT32, Double.NEGATIVE_INFINITY), "T.float32(\"-inf\")");
    texts.forEach(
        (imm, text) -> {
          assertThat(exprText(imm)).isEqualTo(text);
          String kernel = "@T.prim_func\ndef f():\n    return " + text;
          assertThat(((Return) only(kernel).body()).value()).isEqualTo(imm);
        });
  }

  @Test
  void gridRemapAndSblockAreShorthands() {
    String text =
        body(
            "for i, j in T.grid(n, 4):",
            "    with T.sblock(\"b\"):",
            "        vi, vj = T.axis.remap(\"SR\", [i, j])",
            "        T.reads([A[vi]])",
            "        A[vi] = A[vi] + T.float32(vj)");
    assertThat(printed("@T.prim_func\n" + text))
        .isEqualTo(
            """
            # relaxvm tir 1
            @T.prim_func
            def f(A: T.Buffer((n,), "float32"), n: T.int64):
                for i in range(n):
                    for j in range(4):
                        with T.block("b"):
                            vi = T.axis.spatial(n, i)
                            vj = T.axis.reduce(4, j)
                            T.reads(A[vi])
                            A[vi] = A[vi] + T.Cast("float32", vj)
            """);
  }

  @Test
  void handlesMatchBuffers() {
    assertSame(
        "@T.prim_func\ndef f(A: T.Buffer((m,), \"float16\"), n: T.int64):\n    A[n] = T.float16(1)",
        """
        @T.prim_func()
        def f(a: T.handle, n: T.int64):
            m = T.int64(is_size_var=True)
            A = T.match_buffer(a, [m], dtype="float16")
            A[n] = 1
        """);
  }

  @Test
  void otherSpellingsMeanTheSame() {
    assertSameBody("return 4", "return T.int64(4)");
    assertSameBody("return 4", "T.ret(4)");
    assertSameBody("return n // 2 % 3", "return T.floormod(T.floordiv(n, 2), 3)");
    assertSameBody("return T.min(n, 2)", "return min(n, 2,)");
    assertSameBody("return n / 2", "return T.truncdiv(n, 2)");
    assertSameBody("return T.Cast(\"int32\", n)", "return T.int32(n)");
    assertSameBody("T.call_packed(\"f\", A)", "T.evaluate(T.call_packed('f', A))");
    assertSameBody("A[0] = A[1] * T.float32(2)", "A[0] = A[1] * 2 # twice");
    assertSameBody("A[0] = A[1] * T.float32(0.5)", "A[0] = A[1] * .5");
    assertSameBody("for i in range(2, n):\n        pass", "for i in T.serial(2, n):", "    pass");
    assertSameBody("for i in range(n):\n        pass", "for i in T.grid(n):", "    pass");
    assertSameBody(
        "with T.block(\"root\"):\n"
            + "        B = T.alloc_buffer((n,), \"float32\")\n"
            + "        B[0] = T.float32(1)",
        "B = T.alloc_buffer((n,))",
        "B[0] = T.float32(1)");
  }

  @Test
  void extentsAreSymbolsInQuotesToo() {
    assertSame(
        "@T.prim_func\ndef f(A: T.Buffer((m + 1, m), \"int8\")):\n    m = T.int64()\n    return m",
        "# relaxvm tir 1\n"
            + "@T.prim_func\n"
            + "def f(A: T.Buffer((\"m + 1\", \"m\"), \"int8\")):\n"
            + "    return m");
  }

  @Test
  void publicKernelsHaveTheirNameAsSymbol() {
    assertThat(only("@T.prim_func\n" + body("return n")).attrs())
        .isEqualTo(Map.of("global_symbol", "f"));
    assertThat(only("@T.prim_func(private=True)\n" + body("return n")).attrs()).isEmpty();
    assertThat(
            only("@T.prim_func\n" + body("T.func_attr({\"global_symbol\": \"g\"})", "return n"))
                .attrs())
        .isEqualTo(Map.of("global_symbol", "g"));
  }

  @Test
  void emptyTextHasNoKernels() {
    assertThat(TirText.parse("", "test")).isEmpty();
    assertThat(TirText.parse("# relaxvm tir 1\r\n\n  # nothing\n", "test")).isEmpty();
    assertThat(TirText.print(List.of())).isEqualTo("# relaxvm tir 1\n");
  }

  @Test
  void parameterThatIsThereTwiceHasNoText() {
    Buffer a = Buffer.of("A", DType.INT8, List.of());
    assertThatThrownBy(() -> TirText.print(PrimFunc.of("f", List.of(a, a), new Seq(List.of()))))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the kernel f has the parameter A twice");
  }

  @Test
  void whatIsTooDeepToBeReadIsNotPrinted() {
    PrimExpr sum = Var.index("n");
    Stmt loops = new Seq(List.of());
    for (int i = 0; i < 256; i++) {
      sum = new Binary(BinaryOp.ADD, sum, IntImm.of(1));
      loops = For.serial(Var.index("i"), IntImm.of(2), loops);
    }
    Stmt deepSum = new Return(sum);
    Stmt deepLoops = loops;
    assertThatThrownBy(() -> TirText.print(PrimFunc.of("f", List.of(), deepSum)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the kernel f nests expressions more than 128 deep, which its text cannot");
    assertThatThrownBy(() -> TirText.print(PrimFunc.of("f", List.of(), deepLoops)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the kernel f nests statements more than 64 deep, which its text cannot");
  }

  @Test
  void deepestKernelsComeBack() {
    PrimExpr sum = Var.index("n");
    PrimExpr nested = Var.index("n");
    for (int i = 1; i < 128; i++) {
      sum = new Binary(BinaryOp.ADD, sum, IntImm.of(1));
      nested = new Binary(BinaryOp.ADD, IntImm.of(1), nested);
    }
    List<PrimFunc> kernels = new ArrayList<>();
    kernels.add(PrimFunc.of("sum", List.of(), new Return(sum)));
    kernels.add(PrimFunc.of("nested", List.of(), new Return(nested)));
    Stmt loops = new Return(nested);
    for (int i = 1; i < 64; i++) {
      loops = For.serial(Var.index("i"), IntImm.of(2), loops);
    }
    kernels.add(PrimFunc.of("loops", List.of(), loops));
    for (PrimFunc kernel : kernels) {
      assertThat(StructuralEquality.areEqual(kernel, only(TirText.print(kernel)))).isTrue();
    }
  }

  @Test
  void returnTypesMayBeAnyDtype() {
    for (String dtype : List.of("float8_e4m3fn", "int4", "float32x4", "handle", "bool")) {
      PrimFunc kernel =
          new PrimFunc("f", List.of(), DType.parse(dtype), new Seq(List.of()), Map.of());
      assertThat(TirText.print(kernel)).contains("def f() -> T." + dtype + ":");
      assertThat(only(TirText.print(kernel)).returnType()).isEqualTo(DType.parse(dtype));
    }
    assertThat(only("@T.prim_func\ndef f() -> None:\n    pass").returnType()).isEqualTo(DType.VOID);
  }
}
