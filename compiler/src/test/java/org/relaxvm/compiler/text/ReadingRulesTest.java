package org.relaxvm.compiler.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.rewrite.StructuralEquality;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.tir.expr.IntImm;

/** What texts mean. */
class ReadingRulesTest {
  @Test
  void sameNamesInTwoFunctionsAreTwoSymbols() {
    IRModule module =
        Texts.parse(
            """
            n = TypeVar("n")
            @I.ir_module
            class Module:
                @R.function
                def f(x: R.Tensor((n,))) -> R.Tensor((n,)):
                    return x

                @R.function
                def g(x: R.Tensor(("n + m", "m", "n"))) -> R.Tensor(("m", "n", "m + n")):
                    m = T.int64()
                    return x
            """);
    RelaxFunction f = Texts.function(module, "f");
    RelaxFunction g = Texts.function(module, "g");
    assertThat(Symbols.usedBy(f.params().getFirst().type()))
        .hasSize(1)
        .doesNotContainAnyElementsOf(Symbols.usedBy(g.params().getFirst().type()));
    assertThat(g.params().getFirst().type()).hasToString("R.Tensor((n + m, m, n))");
    assertThat(Symbols.usedBy(g.params().getFirst().type())).hasSize(2);
    assertThat(Symbols.usedBy(g.resultType()))
        .containsExactlyInAnyOrderElementsOf(Symbols.usedBy(g.params().getFirst().type()));
  }

  @Test
  void readsTheSpellingsOf2023And2026AsTheSame() {
    String kernel =
        """
        @I.ir_module
        class Module:
            @T.prim_func(private=True)
            def scale(A: T.Buffer((m,), "float32"), B: T.Buffer((m,), "float32")):
                for i in range(m):
                    with T.block("b"):
                        vi = T.axis.spatial(m, i)
                        B[vi] = A[vi] * T.float32(2)

        """;
    IRModule old =
        Texts.parse(
            "from tvm.script import relax as R\n"
                + kernel
                + """
                    @R.function(pure=False)
                    def main(x: R.Tensor(("n",), "float32"), k: R.Prim("int64"), o: R.Object) -> R.Object:
                        n = T.int64()
                        y = R.call_tir(cls.scale, (x,), out_sinfo=R.Tensor((n,), "float32"), tir_vars=R.shape([n]))
                        z = R.call_packed("f", y, k, sinfo_args=[R.Object])
                        R.call_packed("g", z, sinfo_args=R.Tuple())
                        return z
                """);
    IRModule now =
        Texts.parse(
            "n = TypeVar(\"n\")\n"
                + kernel.replace("T.block", "T.sblock")
                + """
                    @R.function(pure=False)
                    def main(x: R.Tensor((n,), dtype="float32"), k: T.int64, o: R.Any) -> R.Any:
                        cls = Module
                        y = R.call_tir(Module.scale, (x,), R.Tensor((n,), dtype="float32"), [n])
                        z = R.call_packed("f", y, k, ty_args=(R.Any,))
                        R.call_packed("g", z, ty_args=(R.Tuple,))
                        return z
                """);
    assertThat(StructuralEquality.areEqual(old, now)).isTrue();
    assertThat(RelaxText.print(old)).isEqualTo(RelaxText.print(now));
    assertThat(RelaxText.print(old))
        .contains(
            "R.call_tir(cls.scale, (x,), out_ty=R.Tensor((n,), dtype=\"float32\"),"
                + " tir_vars=R.shape([n]))")
        .doesNotContain("sinfo", "Object");
  }

  @Test
  void functionsMayCallThemselvesAndThoseAfterThem() {
    IRModule module =
        Texts.parse(
            """
            @I.ir_module
            class Module:
                @R.function
                def f(x: R.Tensor((n,))) -> R.Tensor((n,)):
                    y = cls.g(x)
                    z = cls.f(y)
                    return z

                @R.function
                def g(x: R.Tensor((k,))) -> R.Tensor((k,)):
                    return cls.f(x)
            """);
    RelaxFunction f = Texts.function(module, "f");
    assertThat(f.body().body().type()).isEqualTo(f.params().getFirst().type());
    assertThat(module.functions().keySet()).containsExactly(new GlobalVar("f"), new GlobalVar("g"));
  }

  @Test
  void aFunctionIsPublicUnlessItIsPrivate() {
    IRModule module =
        Texts.parse(
            """
            @I.ir_module
            class Module:
                @R.function
                def f() -> R.Tuple:
                    return ()

                @R.function(private=True, pure=False)
                def g() -> R.Tuple:
                    return ()
            """);
    assertThat(Texts.function(module, "f").attrs())
        .isEqualTo(Attrs.of(RelaxFunction.GLOBAL_SYMBOL, "f"));
    assertThat(Texts.function(module, "g").attrs()).isEqualTo(Attrs.NONE);
    assertThat(Texts.function(module, "f").isPure()).isTrue();
    assertThat(Texts.function(module, "g").isPure()).isFalse();
  }

  @Test
  void aKernelMayHaveAnotherNameInTheText() {
    IRModule module =
        Texts.parse(
            """
            @I.ir_module
            class Module:
                @T.prim_func(private=True, name="a-b")
                def a_b(A: T.Buffer((4,), "float32")):
                    A[0] = T.float32(1)

                @R.function(pure=False)
                def main(x: R.Tensor((4,), "float32")) -> R.Tensor:
                    cls.a_b(x)
                    return x
            """);
    assertThat(module.require(new GlobalVar("a-b"))).isInstanceOf(KernelFunction.class);
    assertThat(((Call) first(module).value()).callee()).isEqualTo(new GlobalVar("a-b"));
    Texts.assertRoundTrip(module);
  }

  private static Binding first(IRModule module) {
    return Texts.function(module, "main").body().bindings().findFirst().orElseThrow();
  }

  @Test
  void anAnnotationThatSaysLessIsTheTypeOfTheVariable() {
    List<Binding> bindings =
        Texts.bindings("y: R.Tensor(ndim=2) = x\nz: R.Any = y\nw = y\nreturn w");
    assertThat(bindings)
        .extracting(binding -> binding.var().type())
        .containsExactly(
            TensorType.ofRank(java.util.Optional.empty(), 2),
            org.relaxvm.compiler.type.AnyType.ANY,
            TensorType.ofRank(java.util.Optional.empty(), 2));
  }

  @Test
  void outputsOfABlockAreSeenAfterItOthersAreNot() {
    List<Binding> bindings =
        Texts.bindings(
            """
            with R.dataflow():
                a = R.add(x, x)
                b = R.add(a, a)
                R.output(b)
            return b
            """);
    assertThat(bindings.get(0).var()).isInstanceOf(DataflowVar.class);
    assertThat(bindings.get(1).var()).isExactlyInstanceOf(RelaxVar.class);
  }

  @Test
  void namesMayBeBoundAgain() {
    List<Binding> bindings = Texts.bindings("y = R.add(x, x)\ny = R.add(y, x)\nreturn y");
    assertThat(((Call) bindings.get(1).value()).args().getFirst()).isSameAs(bindings.get(0).var());
  }

  @Test
  void aBranchGivesWhatItsLastBindingHas() {
    List<Binding> bindings =
        Texts.bindings(
            """
            if R.const(True):
                y = x
            else:
                z = R.add(x, x)
                y = R.add(z, x)
            return y
            """);
    If choice = (If) bindings.getFirst().value();
    assertThat(choice.whenTrue().blocks()).isEmpty();
    assertThat(choice.whenFalse().bindings()).hasSize(2);
    assertThat(bindings.getFirst().var().name()).isEqualTo("y");
    assertThat(bindings.getFirst().var().type()).hasToString("R.Tensor((n, 4), dtype=\"float32\")");
  }

  @Test
  void partsThatAreCallsGetVariablesOfTheirOwn() {
    List<Binding> bindings =
        Texts.bindings("y = R.add(R.add(x, x), (x, R.add(x, x))[1])\nreturn y");
    assertThat(bindings).hasSize(4);
    assertThat(bindings.get(2).value()).isInstanceOf(TupleGetItem.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          3                     | R.Prim("int64")   | 3
          -3                    | R.Prim("int64")   | -3
          1.5                   | R.Prim("float64") | 1.5
          True                  | R.Prim("bool")    | True
          n                     | R.Prim("int64")   | R.prim_value(n)
          n + 1                 | R.Prim("int64")   | R.prim_value(n + 1)
          (n + 1) * 2           | R.Prim("int64")   | R.prim_value((n + 1) * 2)
          min(n, 4)             | R.Prim("int64")   | R.prim_value(min(n, 4))
          T.float32(2)          | R.Prim("float32") | R.prim_value(T.float32(2.0))
          R.prim_value("n * 2") | R.Prim("int64")   | R.prim_value(n * 2)
          """)
  void readsScalars(String text, String type, String printed) {
    assertThat(Texts.printedMain("y = " + text + "\nreturn x"))
        .isEqualTo("y: " + type + " = " + printed + "\nreturn x\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          R.ones((n, 4), "int8")             | R.ones(R.shape([n, 4]), dtype="int8")
          R.ones([2], dtype="int8")          | R.ones(R.shape([2]), dtype="int8")
          R.ones((), dtype="int8")           | R.ones(R.shape([]), dtype="int8")
          R.ones(shape=[n], dtype="int8")    | R.ones(R.shape([n]), dtype="int8")
          R.astype(x, "int8")                | R.astype(x, dtype="int8")
          R.astype(x, dtype=R.dtype("int8")) | R.astype(x, dtype="int8")
          R.test.many(x, axis=None)          | R.test.many(x)
          R.test.many(x, None)               | R.test.many(x)
          R.test.many(x, None, -1, 2)        | R.test.many(x, axis=-1, factor=2)
          R.test.many(y=x, x=x)              | R.test.many(x, x)
          R.test.many(x, axes=(1, 2))        | R.test.many(x, axes=[1, 2])
          R.test.many(x, axes=3)             | R.test.many(x, axes=3)
          R.test.many(x, other=T.int64(3))   | R.test.many(x, other=3)
          R.test.many(x, other=float("inf")) | R.test.many(x, other=float("inf"))
          """)
  void readsArgumentsAsTheOperatorHasThem(String text, String printed) {
    assertThat(Texts.printedMain("y = " + text + "\nreturn x")).contains(" = " + printed + "\n");
  }

  @Test
  void aTupleOfNumbersIsAShapeOnlyWhereOneIsExpected() {
    assertThat(((Call) Texts.value("y = R.ones((2, n), \"int8\")")).args().getFirst())
        .isInstanceOf(ShapeExpr.class);
    assertThat(((Call) Texts.value("y = R.call_packed(\"f\", (2, n))")).args().getFirst())
        .isInstanceOf(Tuple.class);
  }

  @Test
  void formatsOfPrintsMayBeNamedAfterTheValues() {
    assertThat(Texts.printedMain("R.print(x, x, format=\"{} {}\")\nreturn x"))
        .isEqualTo("_: R.Tuple = R.print(R.str(\"{} {}\"), x, x)\nreturn x\n");
  }

  @Test
  void packedFunctionsMayBeStrings() {
    Call call = (Call) Texts.value("y = R.call_pure_packed(\"my.f\", x, ty_args=R.Any)");
    assertThat(call.args().getFirst()).isEqualTo(new ExternFunc("my.f"));
  }

  @Test
  void symbolsOfAMatchCastAreKnownAfterIt() {
    List<Binding> bindings =
        Texts.bindings(
            """
            with R.dataflow():
                y: R.Tensor((k, 4)) = R.match_cast(x, R.Tensor((k, 4)))
                R.output(y)
            s = R.shape([k + 1])
            return s
            """);
    ShapeType shape = (ShapeType) bindings.get(1).var().type();
    assertThat(Symbols.usedBy(shape))
        .containsExactlyElementsOf(Symbols.definedBy(bindings.get(0).var().type()));
  }

  @Test
  void aParameterAndASymbolMayShareAName() {
    IRModule module =
        Texts.parse(
            """
            @I.ir_module
            class Module:
                @R.function
                def main(n: T.int64, x: R.Tensor((n,))) -> R.Any:
                    return (n, n + 1)
            """);
    RelaxFunction main = Texts.function(module, "main");
    Tuple result = (Tuple) main.body().body();
    assertThat(result.fields().get(0)).isSameAs(main.params().getFirst());
    assertThat(result.fields().get(1)).isInstanceOf(PrimValue.class);
    Texts.assertRoundTrip(module);
  }

  @Test
  void aResultTypeThatSaysMoreThanTheBodyIsKept() {
    IRModule module =
        Texts.parse(
            """
            @I.ir_module
            class Module:
                @R.function
                def main(x: R.Tensor(ndim=1)) -> R.Tensor((3,), "float32"):
                    return x
            """);
    assertThat(Texts.function(module, "main").resultType())
        .isEqualTo(TensorType.of(DType.FLOAT32, IntImm.of(3)));
    Texts.assertRoundTrip(module);
  }

  @Test
  void functionsWithoutResultTypeGiveWhatTheirBodyGives() {
    assertThat(Texts.function(Texts.parse(Texts.main("return R.shape([n])")), "main").resultType())
        .hasToString("R.Shape([n])");
  }
}
