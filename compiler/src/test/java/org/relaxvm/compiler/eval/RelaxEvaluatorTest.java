package org.relaxvm.compiler.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.Stages;

/** The reference runs what programs may have, and says what is wrong. */
class RelaxEvaluatorTest {
  private static Tensor vector(float... values) {
    return Tensor.of(values, Shape.of(values.length));
  }

  private static Object run(String functions, Object... args) {
    return new RelaxEvaluator(Stages.parse(functions)).run("main", args);
  }

  private static float[] floats(Object value) {
    return ((Tensor) value).toFloatArray();
  }

  @Test
  void operatorsAreComputedForTheirVeryArguments() {
    Object result =
        run(
            """
            @R.function
            def main(x: R.Tensor(dtype="float32", ndim=1), y: R.Tensor((2,), "float32")):
                a = R.add(x, y)
                b = R.concat((a, y), axis=0)
                c = R.sum(b)
                return (b, c)
            """,
            vector(1, 2),
            vector(3, 4));
    assertThat(floats(((List<?>) result).get(0))).containsExactly(4, 6, 3, 4);
    assertThat(floats(((List<?>) result).get(1))).containsExactly(17);
  }

  @Test
  void symbolicExtentsAndScalarsHaveValues() {
    Object result =
        run(
            """
            @R.function
            def main(x: R.Tensor(("n",), "float32")):
                s = R.shape([n * 2, n // 2])
                p = R.prim_value(n % 2 == 1)
                o = R.ones((n + 1,), "float32")
                return (s, p, o)
            """,
            vector(1, 2, 3));
    assertThat(((List<?>) result).get(0)).isEqualTo(Shape.of(6, 1));
    assertThat(((List<?>) result).get(1)).isEqualTo(true);
    assertThat(floats(((List<?>) result).get(2))).containsExactly(1, 1, 1, 1);
  }

  private static final String CHOICE =
      """
      @R.function
      def main(c: R.Tensor((), "bool"), x: R.Tensor(("n",), "float32")):
          if c:
              y = R.add(x, x)
          else:
              y = R.negative(x)
          return y
      """;

  @Test
  void oneBranchOfAChoiceRuns() {
    Tensor yes = Tensor.of(new boolean[] {true}, Shape.scalar());
    Tensor no = Tensor.of(new boolean[] {false}, Shape.scalar());
    assertThat(floats(run(CHOICE, yes, vector(1, 2)))).containsExactly(2, 4);
    assertThat(floats(run(CHOICE, no, vector(1, 2)))).containsExactly(-1, -2);
  }

  @Test
  void functionsCallThemselves() {
    Object result =
        run(
            """
            @R.function
            def main(x: R.Tensor((), "float32"), k: R.Tensor((), "int64")) -> R.Tensor((), "float32"):
                c = R.less_equal(k, R.const(0, "int64"))
                if c:
                    r = R.const(1, "float32")
                else:
                    l = R.subtract(k, R.const(1, "int64"))
                    q = cls.main(x, l)
                    r = R.multiply(x, q)
                return r
            """,
            Tensor.scalar(3f),
            Tensor.scalar(4));
    assertThat(floats(result)).containsExactly(81);
  }

  @Test
  void callsMayBeNestedDeeply() {
    String functions =
        """
        @R.function
        def main(s: R.Shape(["n"])) -> R.Shape(ndim=2):
            c = R.prim_value(n == 1)
            if c:
                r = R.shape([n, n])
            else:
                t = cls.main(R.shape([n - 1]))
                r = t
            return r
        """;
    assertThat(run(functions, Shape.of(10_000))).isEqualTo(Shape.of(1, 1));
  }

  @Test
  void recursionWithoutEndStopsAtALimit() {
    assertThatThrownBy(
            () ->
                run(
                    """
                    @R.function
                    def main(s: R.Shape(["n"])) -> R.Shape(ndim=1):
                        r = cls.main(R.shape([n + 1]))
                        return r
                    """,
                    Shape.of(0)))
        .isInstanceOfSatisfying(
            RelaxException.class,
            error -> {
              assertThat(error.kind()).isEqualTo(ErrorKind.RUNTIME);
              assertThat(error.summary())
                  .isEqualTo(
                      "calls of functions are nested more than 20000 deep, which is the most that"
                          + " the evaluator does; the innermost is of main\n"
                          + "  what to do: look for recursion that does not end, or run the"
                          + " compiled program");
              assertThat(error.getMessage())
                  .contains("\n  at r = cls.main(R.shape([n + 1]))\n  at function main\n")
                  .endsWith("\n  ... 39984 more frames");
            });
  }

  @Test
  void whatAPackedFunctionThrowsComesThroughDeepCalls() {
    IRModule module =
        Stages.parse(
            """
            @R.function(pure=False)
            def main(s: R.Shape(["n"])) -> R.Any:
                c = R.prim_value(n == 0)
                if c:
                    r = R.call_packed("stop", ty_args=(R.Any,))
                else:
                    t = cls.main(R.shape([n - 1]))
                    r = t
                return r
            """);
    RelaxEvaluator evaluator =
        new RelaxEvaluator(
            module,
            Map.of(
                "stop",
                args -> {
                  throw new IllegalStateException("stopped");
                }));
    assertThatThrownBy(() -> evaluator.run("main", Shape.of(300)))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("stopped");
  }

  @Test
  void localFunctionsSeeWhatIsAroundThem() {
    Object result =
        run(
            """
            @R.function
            def main(x: R.Tensor(("n",), "float32"), y: R.Tensor((n,), "float32")):
                @R.function
                def inner(z: R.Tensor((n,), "float32")):
                    a = R.add(z, y)
                    return a
                b = inner(x)
                c = inner(b)
                return c
            """,
            vector(1, 2),
            vector(10, 20));
    assertThat(floats(result)).containsExactly(21, 42);
  }

  @Test
  void closuresHaveTheirLastArguments() {
    Object result =
        run(
            """
            @R.function(private=True)
            def sub(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")):
                gv = R.subtract(x, y)
                return gv

            @R.function
            def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")):
                f = R.make_closure(cls.sub, (y,))
                gv = R.invoke_pure_closure(f, (x,), ty_args=(R.Tensor((2,), "float32"),))
                return gv
            """,
            vector(5, 6),
            vector(1, 2));
    assertThat(floats(result)).containsExactly(4, 4);
  }

  @Test
  void packedFunctionsAreThoseThatAreGiven() {
    IRModule module =
        Stages.parse(
            """
            @R.function
            def main(x: R.Tensor((2,), "float32")):
                a = R.call_pure_packed("twice", x, ty_args=(R.Tensor((2,), "float32"),))
                b = R.call_dps_packed("fill", (x,), out_ty=R.Tensor((3,), dtype="float32"))
                return (a, b)
            """);
    RelaxEvaluator evaluator =
        new RelaxEvaluator(
            module,
            Map.of(
                "twice",
                args -> vector(2 * floats(args.get(0))[0], 2 * floats(args.get(0))[1]),
                "fill",
                args -> {
                  ((Tensor) args.get(1)).fill(7);
                  return List.of();
                }));
    List<?> result = (List<?>) evaluator.run("main", vector(1, 2));
    assertThat(floats(result.get(0))).containsExactly(2, 4);
    assertThat(floats(result.get(1))).containsExactly(7, 7, 7);
    assertThatThrownBy(() -> new RelaxEvaluator(module).run("main", vector(1, 2)))
        .isInstanceOf(RelaxException.class)
        .hasMessage(
            "the evaluator has no packed function twice; it has []\n"
                + "  at a = R.call_pure_packed(R.ExternFunc(\"twice\"), x)\n"
                + "  at function main");
  }

  private static final String CAST =
      """
      @R.function
      def main(x: R.Tensor(dtype="float32", ndim=1)):
          y = R.match_cast(x, R.Tensor(("m", ), "float32"))
          z = R.match_cast(y, R.Tensor((m // 2 * 2, ), "float32"))
          s = R.shape([m])
          return s
      """;

  @Test
  void matchCastsDefineAndCompareExtents() {
    assertThat(run(CAST, vector(1, 2))).isEqualTo(Shape.of(2));
    assertThatThrownBy(() -> run(CAST, vector(1, 2, 3)))
        .hasMessage(
            "extent 0 of y must be m // 2 * 2, which is 2, but is 3\n"
                + "  at z = R.match_cast(y, R.Tensor((m // 2 * 2,), dtype=\"float32\"))\n"
                + "  at function main");
  }

  @Test
  void parametersAreCompared() {
    String program =
        """
        @R.function
        def main(x: R.Tensor(("n",), "float32"), y: R.Tensor((n, 2), "float32")):
            return x
        """;
    Tensor two = Tensor.of(new float[4], Shape.of(2, 2));
    assertThatThrownBy(() -> run(program, vector(1, 2, 3), two))
        .hasMessage(
            "extent 0 of the parameter y must be n, which is 3, but is 2\n  at function main");
    assertThatThrownBy(() -> run(program, vector(1, 2), vector(1, 2)))
        .hasMessage(
            "the parameter y must be R.Tensor((n, 2), dtype=\"float32\"), but is float32[2] on"
                + " cpu:0\n  at function main");
    assertThatThrownBy(() -> run(program, vector(1, 2)))
        .hasMessage("expected 2 arguments, but got 1\n  at function main");
  }

  @Test
  void argumentsOfInPlaceCallsStayAsTheCallerHasThem() {
    Tensor x = vector(2, 4);
    Object result =
        run(
            """
            @T.prim_func(private=True)
            def half(A: T.Buffer((m,), "float32")):
                for i in T.grid(m):
                    with T.block("half"):
                        vi = T.axis.remap("S", [i])
                        T.reads(A[vi])
                        T.writes(A[vi])
                        A[vi] = A[vi] * T.float32(0.5)

            @R.function
            def main(x: R.Tensor((2,), "float32")):
                gv = R.call_tir_inplace(cls.half, (x,), out_ty=R.Tensor((2,), dtype="float32"), inplace_indices=[0])
                return gv
            """,
            x);
    assertThat(floats(result)).containsExactly(1, 2);
    assertThat(floats(x)).containsExactly(2, 4);
  }

  @Test
  void memoryIsSharedAsTheProgramSays() {
    Object result =
        run(
            """
            @T.prim_func(private=True)
            def copy(A: T.Buffer((m,), "float32"), B: T.Buffer((m,), "float32")):
                for i in T.grid(m):
                    with T.block("copy"):
                        vi = T.axis.remap("S", [i])
                        T.reads(A[vi])
                        T.writes(B[vi])
                        B[vi] = A[vi]

            @R.function(pure=False)
            def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")):
                s = R.memory.alloc_storage(R.shape([8]), 0, R.str("global"), R.dtype("float32"))
                a = R.memory.alloc_tensor(s, 0, R.shape([2]), R.dtype("float32"))
                b = R.memory.alloc_tensor(s, 0, R.shape([2]), R.dtype("float32"))
                _ = cls.copy(x, a)
                _ = cls.copy(y, b)
                return a
            """,
            vector(1, 2),
            vector(3, 4));
    assertThat(floats(result)).containsExactly(3, 4);
  }

  @Test
  void whatNothingComputesIsNamed() {
    IRModule module =
        Stages.parse(
            """
            @R.function(pure=False)
            def main(x: R.Tensor((2,), "float32")):
                gv = R.call_builtin_with_ctx("vm.builtin.x", (x,), ty_args=(R.Tensor((2,), "float32"),))
                return gv
            """);
    assertThatThrownBy(() -> new RelaxEvaluator(module).run("main", vector(1, 2)))
        .hasMessageStartingWith("the evaluator cannot compute R.call_builtin_with_ctx(");
  }
}
