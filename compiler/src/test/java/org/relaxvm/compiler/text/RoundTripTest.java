package org.relaxvm.compiler.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.wellformed.WellFormed;
import org.relaxvm.tir.expr.Var;

/** Whatever the grammar has is printed, and read as what it was. */
class RoundTripTest {
  /** That of the specification. */
  private static final String EXAMPLE =
      """
      @I.ir_module
      class M:
          @T.prim_func(private=True)
          def scale(A: T.Buffer((m, T.int64(4)), "float32"), B: T.Buffer((m, T.int64(4)), "float32")):
              for i, j in T.grid(m, T.int64(4)):
                  with T.block("b"):
                      vi, vj = T.axis.remap("SS", [i, j])
                      T.reads(A[vi, vj])
                      T.writes(B[vi, vj])
                      B[vi, vj] = A[vi, vj] * T.float32(2)

          @R.function
          def main(x: R.Tensor(("n", 4), "float32"), flag: R.Tensor((), "bool")) -> R.Tensor(("n", 4), "float32"):
              n = T.int64()
              with R.dataflow():
                  y = R.call_tir(cls.scale, (x,), out_ty=R.Tensor((n, 4), dtype="float32"))
                  R.output(y)
              if flag:
                  r: R.Tensor((n, 4), dtype="float32") = R.add(y, x)
              else:
                  r: R.Tensor((n, 4), dtype="float32") = y
              return r
      """;

  @Test
  void readsAndPrintsTheExampleOfTheSpecification() {
    IRModule module = Texts.parse(EXAMPLE);
    WellFormed.check(module);
    assertThat(Texts.assertRoundTrip(module))
        .endsWith(
            """

                @R.function
                def main(x: R.Tensor((n, 4), dtype="float32"), flag: R.Tensor((), dtype="bool")) -> R.Tensor((n, 4), dtype="float32"):
                    with R.dataflow():
                        y: R.Tensor((n, 4), dtype="float32") = R.call_tir(cls.scale, (x,), out_ty=R.Tensor((n, 4), dtype="float32"))
                        R.output(y)
                    if flag:
                        r_then: R.Tensor((n, 4), dtype="float32") = R.add(y, x)
                        r: R.Tensor((n, 4), dtype="float32") = r_then
                    else:
                        r: R.Tensor((n, 4), dtype="float32") = y
                    return r
            """);
  }

  @Test
  void keepsAttributesAndVirtualDevicesOfAModule() {
    assertThat(
            Texts.printed(
                """
                @I.ir_module
                class Module:
                    I.module_attrs({"a": 1, "b": [1.5, "c", True], "d": {"e": R.dtype("int8")}})
                    I.module_global_infos({"vdevice": [I.vdevice("cuda", 1, "shared"), I.vdevice("cpu")]})
                    log = R.ExternFunc("my.log")
                    pick = R.ExternFunc("my.pick", R.Callable((R.Tensor,), R.Tensor, True))

                    @R.function(pure=False, private=True)
                    def main(x: R.Tensor((2,), "float32", vdevice="cuda:1:shared")) -> R.Tensor:
                        y = cls.pick(x)
                        z = cls.log(y, ty_args=R.Tensor)
                        return z
                """))
        .isEqualTo(
            """
            @I.ir_module
            class Module:
                I.module_attrs({"a": 1, "b": [1.5, "c", True], "d": {"e": R.dtype("int8")}})
                I.module_global_infos({"vdevice": [I.vdevice("cuda", 1, "shared"), I.vdevice("cpu", 0, "global")]})

                log = R.ExternFunc("my.log")

                pick = R.ExternFunc("my.pick", R.Callable((R.Tensor,), R.Tensor, True))

                @R.function(pure=False, private=True)
                def main(x: R.Tensor((2,), dtype="float32", vdevice="cuda:1:shared")) -> R.Tensor:
                    y: R.Tensor = cls.pick(x)
                    z: R.Tensor = cls.log(y, ty_args=(R.Tensor,))
                    return z
            """);
  }

  @Test
  void keepsAModuleWithoutFunctions() {
    assertThat(Texts.assertRoundTrip(IRModule.EMPTY))
        .isEqualTo("@I.ir_module\nclass Module:\n    pass\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "R.Any",
        "R.Tensor",
        "R.Tensor((), dtype=\"float32\")",
        "R.Tensor((n,))",
        "R.Tensor((n, m + 1, n * m // 2), dtype=\"float16\")",
        "R.Tensor((min(n, 3), max(n, m) - 2, (n + 1) % 4))",
        "R.Tensor(s, dtype=\"int8\")",
        "R.Tensor(dtype=\"float32\")",
        "R.Tensor(ndim=2)",
        "R.Tensor(dtype=\"float32\", ndim=0)",
        "R.Tensor((n,), dtype=\"float32\", vdevice=\"cuda:1:global\")",
        "R.Shape",
        "R.Shape([])",
        "R.Shape([n, m])",
        "R.Shape(ndim=3)",
        "R.Prim(\"int64\")",
        "R.Prim(\"bool\")",
        "R.Tuple",
        "R.Tuple(R.Tensor((n,)))",
        "R.Tuple(R.Any, R.Tuple(R.Shape, R.Tuple))",
        "R.Callable",
        "R.Callable(derive_func=\"tvm.relax.type.infer_by_ty_args\")",
        "R.Callable(derive_func=\"tvm.relax.type.infer_by_ty_args\", purity=True)",
        "R.Callable(..., R.Any, True)",
        "R.Callable(..., R.Tuple, False)",
        "R.Callable((), R.Tuple, True)",
        "R.Callable((R.Tensor((k,)), R.Shape([n])), R.Tensor((k, n)), False)"
      })
  void keepsTypes(String type) {
    String text =
        Texts.printed(
            """
            @I.ir_module
            class Module:
                @R.function
                def main(a: R.Shape([n, m]), s: R.Shape(ndim=2), x: %s) -> R.Any:
                    return R.tuple()
            """
                .formatted(type));
    assertThat(text).contains("x: " + type + ") ->");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "y: R.Tensor((n, 4), dtype=\"float32\") = x",
        "y: R.Tensor(dtype=\"float32\", ndim=2) = x",
        "y: R.Tensor((n, 4), dtype=\"float32\") = R.add(x, x)",
        "y: R.Tuple(R.Tensor((n, 4), dtype=\"float32\"), R.Tuple) = (x, R.tuple())",
        "y: R.Tuple(R.Tensor((n, 4), dtype=\"float32\")) = (x,)",
        "y: R.Tuple(R.Prim(\"int64\"), R.Prim(\"float64\"), R.Prim(\"bool\")) = (-1, 2.5E20, True)",
        "y: R.Prim(\"int64\") = R.prim_value(n * 4 + 1)",
        "y: R.Prim(\"int32\") = R.prim_value(T.int32(7))",
        "y: R.Prim(\"float64\") = R.prim_value(T.float64(\"-inf\"))",
        "y: R.Prim(\"bool\") = R.prim_value(n < 4 and not n == 2)",
        "y: R.Shape([n, 4 * n, 3]) = R.shape([n, 4 * n, 3])",
        "y: R.Shape([]) = R.shape([])",
        "y: R.Any = R.str(\"a \\\"b\\\" \\n\")",
        "y: R.Any = R.dtype(\"float8_e4m3fn\")",
        "y: R.Callable(derive_func=\"tvm.relax.type.infer_by_ty_args\") = R.ExternFunc(\"my.f\")",
        "y: R.Callable((R.Any,), R.Tuple, True) ="
            + " R.ExternFunc(\"my.f\", R.Callable((R.Any,), R.Tuple, True))",
        "y: R.Any = R.call_packed(\"my.f\", x, 1, R.shape([n]), level=3)",
        "y: R.Tensor((n,)) = R.call_packed(\"my.f\", ty_args=(R.Tensor((n,)),))",
        "y: R.Tuple(R.Any, R.Tensor) = R.call_packed(\"my.f\", x, ty_args=(R.Any, R.Tensor))",
        "_: R.Tuple = R.call_packed(\"my.f\", x, ty_args=(R.Tuple,))",
        "y: R.Any = R.call_pure_packed(\"my.f\", x, ty_args=(R.Any,))",
        "y: R.Any = R.call_inplace_packed(\"my.f\", x, inplace_indices=[0], ty_args=(R.Any,))",
        "_: R.Tuple = R.call_builtin_with_ctx(\"my.f\", (x,))",
        "y: R.Tensor((n,), dtype=\"int8\") = R.call_dps_packed(\"my.f\", (x,),"
            + " out_ty=R.Tensor((n,), dtype=\"int8\"))",
        "y: R.Any = R.call_py_func(R.str(\"f\"), (x,), out_ty=R.Any)",
        "y: R.Any = R.null_value()",
        "_: R.Tuple = R.print(R.str(\"{}\"), x, x)",
        "y: R.Any = R.memory.alloc_storage(R.shape([16 * n]), 0, R.str(\"global\"),"
            + " R.dtype(\"float32\"))",
        "y: R.Tensor((n, 4), dtype=\"int32\") = R.memory.view(x, R.tuple(), R.dtype(\"int32\"),"
            + " R.tuple())",
        "y: R.Tensor((n, 4), dtype=\"float32\") = R.test.many(x, R.const([1, 2], \"int32\"),"
            + " axis=-1, factor=1.0, keepdims=True, mode=\"a\", dtype=\"int8\", axes=[1, -2],"
            + " scales=[1, 0.5], other={\"a\": [R.dtype(\"bool\"), float(\"nan\")]})"
      })
  void keepsBindings(String binding) {
    assertThat(Texts.printedMain(binding + "\nreturn x")).isEqualTo(binding + "\nreturn x\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "(x, (x,))", "R.tuple()", "R.const(1, \"int32\")", "R.shape([n])"})
  void keepsResults(String result) {
    assertThat(Texts.printedMain("return " + result)).isEqualTo("return " + result + "\n");
  }

  @Test
  void keepsMatchCastsInAndOutOfBlocks() {
    String statements =
        """
        m = T.int64()
        k = T.int64()
        with R.dataflow():
            lv: R.Tensor((m, 4), dtype="float32") = R.match_cast(x, R.Tensor((m, 4), dtype="float32"))
            gv: R.Tensor((k, 4), dtype="float32") = R.match_cast(lv, R.Tensor((k, 4), dtype="float32"))
            R.output(gv)
        y: R.Shape([m, k]) = R.match_cast(R.shape([m, k]), R.Shape([m, k]))
        return y
        """;
    assertThat(Texts.printedMain(statements)).isEqualTo(statements);
  }

  @Test
  void keepsBlocksBranchesAndLocalFunctions() {
    String statements =
        """
        R.func_attr({"relax.force_pure": True, "num_input": 1})
        with R.dataflow():
            lv: R.Tensor((n, 4), dtype="float32") = R.add(x, x)
            a: R.Tensor((n, 4), dtype="float32") = R.add(lv, x)
            b: R.Tensor((n, 4), dtype="float32") = lv
            R.output(a, b)
        @R.function
        def inner(y: R.Tensor((n, k), dtype="float32")) -> R.Tensor((n, k), dtype="float32"):
            z: R.Tensor((n, k), dtype="float32") = inner(y)
            return z
        @R.function(pure=False)
        def shout() -> R.Tuple:
            R.func_attr({"level": 2})
            _: R.Tuple = R.print(R.str("hello"))
            return R.tuple()
        c: R.Tensor((n, 4), dtype="float32") = inner(a)
        if R.const(True, "bool"):
            _: R.Tuple = R.tuple()
        else:
            if R.const(False, "bool"):
                d: R.Tensor((n, 4), dtype="float32") = R.add(c, b)
                e: R.Tensor((n, 4), dtype="float32") = d
            else:
                e: R.Tensor((n, 4), dtype="float32") = c
            _: R.Tuple = R.tuple()
        return c
        """;
    assertThat(Texts.printedMain(statements)).isEqualTo(statements);
  }

  @Test
  void declaresSymbolsThatNoParameterSaysAlone() {
    String text =
        Texts.printed(
            """
            @I.ir_module
            class Module:
                @R.function
                def main(x: R.Tensor((n * 2,), dtype="float32")) -> R.Tensor((n * 2,)):
                    n = T.int64()
                    return x
            """);
    assertThat(text).contains("        n = T.int64()\n        return x\n");
  }

  @Test
  void tellsVariablesOfOneNameApart() {
    BlockBuilder builder = new BlockBuilder();
    Var first = Var.index("n");
    Var second = Var.index("n");
    builder.function(
        "main",
        f -> {
          RelaxVar x = f.param("x", TensorType.of(DType.FLOAT32, first));
          RelaxVar y = f.param("x", TensorType.of(DType.FLOAT32, second));
          return new Tuple(List.of(y, x, new PrimValue(second)));
        });
    assertThat(Texts.assertRoundTrip(builder.module()))
        .contains("def main(x: R.Tensor((n,), dtype=\"float32\"), x_1: R.Tensor((n_1,), ")
        .contains("return (x_1, x, R.prim_value(n_1))");
  }

  @Test
  void keepsNamesThatPythonCannotHave() {
    BlockBuilder builder = new BlockBuilder();
    builder.function("fused-add", f -> f.param("in", TensorType.of(DType.FLOAT32, 2)));
    builder.function(
        "class",
        f -> {
          RelaxVar x = f.param("lambda", TensorType.of(DType.FLOAT32, 2));
          return f.emit("a b", Call.of(new GlobalVar("fused-add"), x));
        });
    assertThat(Texts.assertRoundTrip(builder.module()))
        .isEqualTo(
            """
            @I.ir_module
            class Module:
                @R.function(name="fused-add")
                def fused_add(in_: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
                    return in_

                @R.function(name="class")
                def class_(lambda_: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
                    a_b: R.Tensor((2,), dtype="float32") = cls.fused_add(lambda_)
                    return a_b
            """);
  }

  @Test
  void keepsAGlobalSymbolThatIsAnotherName() {
    String text =
        Texts.printed(
            """
            @I.ir_module
            class Module:
                @R.function
                def main() -> R.Tuple:
                    R.func_attr({"global_symbol": "other"})
                    return R.tuple()
            """);
    assertThat(text).contains("R.func_attr({\"global_symbol\": \"other\"})");
  }

  @Test
  void keepsWhatLooksLikeAnotherArgument() {
    BlockBuilder builder = new BlockBuilder();
    builder.function(
        "main",
        f -> {
          RelaxVar x = f.param("x", TensorType.of(DType.FLOAT32, 2));
          f.impure();
          f.emit(Call.of(ValueOps.PRINT, new StringImm("f"), new Tuple(List.of(PrimValue.of(1)))));
          f.emit(
              Call.of(
                  new ExternFunc("my.f"),
                  List.of(x),
                  Attrs.of("note", "a").with("dtype", DType.INT8)));
          return x;
        });
    assertThat(Texts.assertRoundTrip(builder.module()))
        .contains("R.print(R.str(\"f\"), (1,))")
        .contains("R.call_packed(\"my.f\", x, note=\"a\", dtype=R.dtype(\"int8\"))");
  }

  @Test
  void printsAFunctionAlone() {
    IRModule module = Texts.parse(Texts.main("y = R.add(x, x)\nreturn y"));
    assertThat(RelaxText.print(Texts.function(module, "main")))
        .isEqualTo(
            """
            @R.function
            def main(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 4), dtype="float32"):
                y: R.Tensor((n, 4), dtype="float32") = R.add(x, x)
                return y
            """);
  }
}
