package org.relaxvm.tir.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.text.TirText;

/** Substitution, fresh copies and equality up to names. */
class RewriteTest {
  private static final String KERNEL =
      """
      # relaxvm tir 1
      @T.prim_func(private=True)
      def f(A: T.Buffer((n, 4), "float32"), k: T.int64, B: T.Buffer((n,), "float32")) -> T.int64:
          T.func_attr({"op_pattern": 2})
          n = T.int64()
          with T.block("root"):
              C = T.alloc_buffer((n * 2,), "float32", scope="shared")
              for i in T.parallel(n, annotations={"step": 1}):
                  for j in range(k, 4):
                      with T.block("b"):
                          vi = T.axis.spatial(n, i)
                          vj = T.axis.reduce(4, j)
                          T.where(j < k)
                          T.reads(A[vi, vj])
                          T.writes(B[vi])
                          with T.init():
                              B[vi] = T.float32(0)
                          B[vi] = B[vi] + T.exp(A[vi, vj])
              with T.LetStmt(k + n, var=x):
                  if x < 3:
                      T.call_packed("g", A, x, "s")
                  else:
                      C[x] = T.Select(x == n, T.float32(1), T.Cast("float32", n))
              return n
      """;

  private static PrimFunc parse(String text) {
    return TirText.parse(text, "test").getFirst();
  }

  private static Var scalar(PrimFunc function, String name) {
    return function.params().stream()
        .filter(param -> param.name().equals(name))
        .map(param -> param instanceof Param.OfScalar(Var var) ? var : null)
        .findFirst()
        .orElseThrow();
  }

  private static Var extent(PrimFunc function) {
    return (Var) function.buffers().getFirst().shape().getFirst();
  }

  @Test
  void substitutionReplacesEverywhereAndFolds() {
    PrimFunc function = parse(KERNEL);
    Map<Var, PrimExpr> values =
        Map.of(extent(function), IntImm.of(8), scalar(function, "k"), Var.index("q"));
    String text = TirText.print(new Substitution(values).rewrite(function));
    assertThat(text)
        .isEqualTo(
            """
            # relaxvm tir 1
            @T.prim_func(private=True)
            def f(A: T.Buffer((8, 4), "float32"), k: T.int64, B: T.Buffer((8,), "float32")) -> T.int64:
                T.func_attr({"op_pattern": 2})
                q = T.int64()
                with T.block("root"):
                    C = T.alloc_buffer((16,), "float32", scope="shared")
                    for i in T.parallel(8, annotations={"step": 1}):
                        for j in range(q, 4):
                            with T.block("b"):
                                vi = T.axis.spatial(8, i)
                                vj = T.axis.reduce(4, j)
                                T.where(j < q)
                                T.reads(A[vi, vj])
                                T.writes(B[vi])
                                with T.init():
                                    B[vi] = T.float32(0)
                                B[vi] = B[vi] + T.exp(A[vi, vj])
                    with T.LetStmt(q + 8, var=x):
                        if x < 3:
                            T.call_packed("g", A, x, "s")
                        else:
                            C[x] = T.Select(x == 8, T.float32(1), T.Cast("float32", 8))
                    return 8
            """);
  }

  @Test
  void substitutionOfNothingGivesTheSameObject() {
    PrimFunc function = parse(KERNEL);
    assertThat(new Substitution(Map.of(Var.index("n"), IntImm.of(1))).rewrite(function))
        .isSameAs(function);
  }

  @Test
  void whatDoesNotChangeIsNotFolded() {
    PrimFunc function = parse("@T.prim_func\ndef f(n: T.int64, k: T.int64):\n    return n * 1 + k");
    Map<Var, PrimExpr> values = Map.of(scalar(function, "k"), scalar(function, "n"));
    assertThat(TirText.print(new Substitution(values).rewrite(function)))
        .endsWith("    return n * 1 + n\n");
    assertThat(TirText.print(Renewal.of(function))).endsWith("    return n * 1 + k\n");
  }

  @Test
  void substitutionInExpressionsFolds() {
    Var n = Var.index("n");
    PrimExpr expr = new Binary(BinaryOp.MUL, n, new Binary(BinaryOp.ADD, n, IntImm.of(1)));
    assertThat(Substitution.in(expr, Map.of(n, IntImm.of(3)))).isEqualTo(IntImm.of(12));
  }

  @Test
  void substitutionKeepsDtypes() {
    Var n = Var.index("n");
    assertThatThrownBy(() -> new Substitution(Map.of(n, IntImm.of(true))))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the variable n is int64, but its replacement is bool");
  }

  @Test
  void renewalIsEqualAndSharesNothing() {
    PrimFunc function = parse(KERNEL);
    PrimFunc copy = Renewal.of(function);
    assertThat(StructuralEquality.areEqual(function, copy)).isTrue();
    assertThat(TirText.print(copy)).isEqualTo(KERNEL);
    Set<Object> shared = things(function);
    int before = shared.size();
    shared.retainAll(things(copy));
    assertThat(before).isEqualTo(10);
    assertThat(shared).isEmpty();
  }

  private static Set<Object> things(PrimFunc function) {
    Set<Object> things = Collections.newSetFromMap(new IdentityHashMap<>());
    new IrVisitor() {
      @Override
      public void visit(PrimExpr expr) {
        if (expr instanceof Var) {
          things.add(expr);
        }
        super.visit(expr);
      }

      @Override
      public void visitBufferDefinition(Buffer buffer) {
        things.add(buffer);
        super.visitBufferDefinition(buffer);
      }

      @Override
      public void visitBufferUse(Buffer buffer) {
        things.add(buffer);
      }
    }.visit(function);
    return things;
  }

  @Test
  void namesDoNotCount() {
    String renamed =
        KERNEL
            .replace("def f", "def g")
            .replaceAll("\\bvi\\b", "axis")
            .replaceAll("\\bn\\b", "rows")
            .replaceAll("\\bC\\b", "D")
            .replaceAll("\\bk\\b", "count");
    assertThat(StructuralEquality.areEqual(parse(KERNEL), parse(renamed))).isTrue();
  }

  /** What is changed, and into what. */
  private static final List<List<String>> CHANGES =
      List.of(
          List.of("-> T.int64", "-> T.int32"),
          List.of("\"op_pattern\": 2", "\"op_pattern\": 3"),
          List.of("\"op_pattern\": 2", "\"op_pattern\": True"),
          List.of("(n, 4), \"float32\"", "(n, 5), \"float32\""),
          List.of("(n, 4), \"float32\"", "(n, 4), \"float32\", strides=(4, 1)"),
          List.of("(n, 4), \"float32\"", "(n, 4), \"float32\", elem_offset=1"),
          List.of("(n * 2,)", "(n * 3,)"),
          List.of("scope=\"shared\"", "scope=\"local\""),
          List.of("block(\"b\")", "block(\"c\")"),
          List.of("T.parallel(n", "T.serial(n"),
          List.of("\"step\": 1", "\"step\": 2"),
          List.of("range(k, 4)", "range(4)"),
          List.of("spatial(n", "spatial(k"),
          List.of("spatial(n", "opaque(n"),
          List.of("reduce(4, j)", "reduce(4, i)"),
          List.of("T.where(j < k)", "T.where(j <= k)"),
          List.of("T.reads(A[vi, vj])", "T.reads(A[vi, 0:4])"),
          List.of("T.writes(B[vi])", "T.writes(B[vj])"),
          List.of(
              "with T.init():\n                        B[vi] = T.float32(0)\n                    ",
              ""),
          List.of("= T.float32(0)", "= T.float32(-0.0)"),
          List.of("T.exp", "T.log"),
          List.of("T.exp(A[vi, vj])", "T.exp(A[vj, vi])"),
          List.of("B[vi] + T.exp(A[vi, vj])", "T.exp(A[vi, vj]) + B[vi]"),
          List.of("(k + n, var=x)", "(n + k, var=x)"),
          List.of("x < 3", "x < 4"),
          List.of("else:", "if x < 5:"),
          List.of("\"g\", A", "\"h\", A"),
          List.of("\"g\", A", "\"g\", B"),
          List.of("\"s\"", "\"t\""),
          List.of("x, \"s\"", "x"),
          List.of("T.Select(", "T.if_then_else("),
          List.of("T.Cast(\"float32\", n)", "T.Cast(\"float32\", k)"),
          List.of("return n", "return k"),
          List.of("return n", "pass"),
          List.of("return n", "with T.Seq():\n            return n"));

  @TestFactory
  Stream<DynamicTest> whatDiffersIsNotEqual() {
    return CHANGES.stream()
        .map(
            change ->
                DynamicTest.dynamicTest(
                    String.join(" becomes ", change),
                    () -> {
                      String other = KERNEL.replace(change.get(0), change.get(1));
                      assertThat(other).isNotEqualTo(KERNEL);
                      assertThat(StructuralEquality.areEqual(parse(KERNEL), parse(other)))
                          .isFalse();
                      assertThat(StructuralEquality.areEqual(parse(other), parse(KERNEL)))
                          .isFalse();
                    }));
  }

  @Test
  void twoVariablesNeverStandForOne() {
    String two = "@T.prim_func\ndef f(a: T.int64, b: T.int64):\n    return a + b";
    String one = two.replace("a + b", "a + a");
    assertThat(StructuralEquality.areEqual(parse(two), parse(one))).isFalse();
    assertThat(StructuralEquality.areEqual(parse(one), parse(two))).isFalse();
  }

  @Test
  void parametersCountInOrder() {
    List<PrimFunc> kernels = new ArrayList<>();
    for (String params :
        List.of("a: T.int64, b: T.int32", "b: T.int32, a: T.int64", "a: T.int64")) {
      kernels.add(parse("@T.prim_func\ndef f(" + params + "):\n    return a"));
    }
    for (PrimFunc a : kernels) {
      for (PrimFunc b : kernels) {
        assertThat(StructuralEquality.areEqual(a, b)).isEqualTo(a.equals(b));
      }
    }
  }
}
