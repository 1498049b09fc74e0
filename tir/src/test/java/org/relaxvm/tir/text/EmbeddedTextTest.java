package org.relaxvm.tir.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.StructuralEquality;

/** Kernels, expressions and annotations inside larger texts. */
class EmbeddedTextTest {
  private static final String MODULE =
      """
      # from tvm.script import ir as I

      n = TypeVar("n")
      @I.ir_module
      class Module:
          @T.prim_func(private=True, s_tir=True)
          def pad(x: T.Buffer((n,), "float32"), y: T.Buffer((n + T.int64(2),), "float32")):
              T.func_attr({"tirx.noalias": True})
              # with T.sblock("root"):
              for i in range(n):
                  y[i + T.int64(1)] = x[i]

          @T.prim_func(private=True, s_tir=True)
          def twice(y: T.Buffer((n * T.int64(2),), "float32")):
              for n_1 in range(n):
                  y[n_1] = T.float32(0.0)

          @R.function
          def main(x: R.Tensor((n,), dtype="float32")) -> R.Tensor((n + 2,), dtype="float32"):
              R.func_attr({"relax.force_pure": True})
              with R.dataflow():
                  y = R.add(x, metadata["relax.expr.Constant"][0])
                  R.output(y)
              return y
      """;

  private static TokenStream module(String text) {
    return new TokenStream(new SourceText("module.txt", text));
  }

  /** The kernels of a module text. */
  private static List<PrimFunc> kernels(String text) {
    TokenStream tokens = module(text);
    List<PrimFunc> kernels = new ArrayList<>();
    while (tokens.peek().kind() != Token.Kind.END) {
      if (tokens.comes("@", "T")) {
        kernels.add(EmbeddedText.parseKernel(tokens, Set.of("n")).function());
      } else {
        tokens.next();
      }
    }
    return kernels;
  }

  private static void refused(String text, String message) {
    assertThatThrownBy(() -> kernels(text))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(message);
  }

  private static PrimExpr parse(String text, Map<String, Var> symbols) {
    return EmbeddedText.parseExpr(module(text), symbols);
  }

  @Test
  void kernelsOfAModuleAreThoseOfATextOfTheirOwn() {
    List<PrimFunc> kernels = kernels(MODULE);
    List<PrimFunc> alone =
        TirText.parse(
            """
            @T.prim_func(private=True)
            def pad(x: T.Buffer((n,), "float32"), y: T.Buffer((n + 2,), "float32")):
                T.func_attr({"tirx.noalias": True})
                for i in range(n):
                    y[i + 1] = x[i]

            @T.prim_func(private=True)
            def twice(y: T.Buffer((n * 2,), "float32")):
                n = T.int64()
                for i in range(n):
                    y[i] = T.float32(0)
            """,
            "alone");
    assertThat(kernels).extracting(PrimFunc::name).containsExactly("pad", "twice");
    for (int i = 0; i < 2; i++) {
      assertThat(StructuralEquality.areEqual(kernels.get(i), alone.get(i))).isTrue();
    }
  }

  @Test
  void symbolsOfTheModuleAreOtherVariablesInEachKernel() {
    List<PrimFunc> kernels = kernels(MODULE);
    PrimExpr ofPad = kernels.get(0).buffers().get(0).shape().getFirst();
    PrimExpr ofTwice = kernels.get(1).buffers().getFirst().shape().getFirst().operands().getFirst();
    assertThat(ofPad).isInstanceOf(Var.class).hasToString("n");
    assertThat(ofTwice).isInstanceOf(Var.class).hasToString("n").isNotSameAs(ofPad);
  }

  @Test
  void parametersAndCountersHideSymbolsOfTheModule() {
    String text =
        """
        n = TypeVar("n")
        class Module:
            @T.prim_func(private=True)
            def f(n: T.int32, x: T.Buffer((4,), "int32")):
                x[0] = n

            @T.prim_func(private=True)
            def g(x: T.Buffer((4,), "int64")):
                for n in range(4):
                    x[n] = n
                x[0] = n
        """;
    List<PrimFunc> kernels = kernels(text);
    assertThat(TirText.print(kernels))
        .isEqualTo(
            """
            # relaxvm tir 1
            @T.prim_func(private=True)
            def f(n: T.int32, x: T.Buffer((4,), "int32")):
                x[0] = n

            @T.prim_func(private=True)
            def g(x: T.Buffer((4,), "int64")):
                n = T.int64()
                for n_1 in range(4):
                    x[n_1] = n_1
                x[0] = n
            """);
  }

  @Test
  void streamGoesOnAfterAKernel() {
    TokenStream tokens = module(MODULE);
    int decorator = 0;
    while (!tokens.comes("def", "twice")) {
      decorator = tokens.comes("@") ? tokens.mark() : decorator;
      tokens.next();
    }
    tokens.reset(decorator);
    EmbeddedText.Kernel kernel = EmbeddedText.parseKernel(tokens, Set.of("n"));
    assertThat(kernel.name().offset()).isEqualTo(MODULE.indexOf("twice"));
    assertThat(tokens.comes("@", "R", ".", "function")).isTrue();
  }

  @Test
  void lastKernelOfATextMayEndIt() {
    assertThat(kernels("class M:\n  @T.prim_func\n  def f():\n    pass")).hasSize(1);
  }

  @Test
  void kernelsPrintIndented() {
    StringBuilder out = new StringBuilder("class Module:\n");
    Names names = new Names();
    List<PrimFunc> kernels = kernels(MODULE);
    for (PrimFunc kernel : List.of(kernels.get(1), kernels.get(1), kernels.get(0))) {
      EmbeddedText.printKernel(kernel, names.define(new Object(), kernel.name()), 1, out);
    }
    assertThat(out)
        .hasToString(
            """
            class Module:
                @T.prim_func(private=True)
                def twice(y: T.Buffer((n * 2,), "float32")):
                    n = T.int64()
                    for n_1 in range(n):
                        y[n_1] = T.float32(0)
                @T.prim_func(private=True, name="twice")
                def twice_1(y: T.Buffer((n * 2,), "float32")):
                    n = T.int64()
                    for n_1 in range(n):
                        y[n_1] = T.float32(0)
                @T.prim_func(private=True)
                def pad(x: T.Buffer((n,), "float32"), y: T.Buffer((n + 2,), "float32")):
                    T.func_attr({"tirx.noalias": True})
                    n = T.int64()
                    for i in range(n):
                        y[i + 1] = x[i]
            """);
    TokenStream tokens = module(out.toString());
    while (!tokens.comes("@")) {
      tokens.next();
    }
    EmbeddedText.Kernel first = EmbeddedText.parseKernel(tokens, Set.of());
    EmbeddedText.Kernel second = EmbeddedText.parseKernel(tokens, Set.of());
    assertThat(first.name().text()).isEqualTo("twice");
    assertThat(second.name().text()).isEqualTo("twice_1");
    assertThat(second.function().name()).isEqualTo("twice");
  }

  @Test
  void mistakesShowTheirPositionInTheWholeText() {
    refused(
        MODULE.replace("= x[i]", "= z[i]"),
        "module.txt:11:33: unknown name 'z'\n"
            + "  what there is: i, n, x, y\n"
            + "  11 |             y[i + T.int64(1)] = z[i]\n"
            + "                                       ^");
    refused(
        MODULE.replace("s_tir=True)\n    def twice", "tir=True)\n    def twice"),
        "module.txt:13:32: unknown argument 'tir'\n"
            + "  what there is: private, name, s_tir, check_well_formed\n"
            + "  13 |     @T.prim_func(private=True, tir=True)\n"
            + "                                      ^");
    refused(
        MODULE.replace("(n * T.int64(2),)", "(m * T.int64(2),)"),
        "module.txt:14:28: unknown name 'm'\n"
            + "  what there is: n\n"
            + "  14 |     def twice(y: T.Buffer((m * T.int64(2),), \"float32\")):\n"
            + "                                  ^");
    refused(
        MODULE.replace("        for n_1 in range(n):\n            y[n_1] = T.float32(0.0)\n", ""),
        "module.txt:16:5: expected an indented line, but got '@'\n"
            + "  16 |     @R.function\n"
            + "           ^");
    refused(
        MODULE.replace("= x[i]\n", "= x[i]\n         pass\n"),
        "module.txt:12:10: expected an indentation of a line above (8 spaces), but got 9\n"
            + "  12 |          pass\n"
            + "                ^");
  }

  @Test
  void wordsOfAModuleAreThoseOfTheText() {
    TokenStream tokens =
        module("with R.dataflow():\n  y: R.Any = metadata['relax.expr'][-1.5] # -> @\nx -> @\n");
    List<String> words = new ArrayList<>();
    while (tokens.peek().kind() != Token.Kind.END) {
      Token token = tokens.next();
      words.add(token.text().isEmpty() ? token.kind().name() : token.text());
    }
    assertThat(String.join(" ", words))
        .isEqualTo(
            "with R . dataflow ( ) : NEWLINE INDENT y : R . Any = metadata [ relax.expr ] [ - 1.5 ]"
                + " NEWLINE DEDENT x -> @ NEWLINE");
  }

  @Test
  void expressionsAreReadAndPrinted() {
    Map<String, Var> symbols = new HashMap<>();
    Names names = new Names();
    for (String name : List.of("n", "m")) {
      Var symbol = Var.index(name);
      symbols.put(name, symbol);
      names.define(symbol, name);
    }
    Map<String, String> texts =
        Map.of(
            "8 * n * m", "8 * n * m",
            "T.int64(4) + n // 2", "4 + n // 2",
            "\"n + 1\"", "n + 1",
            "\" n +\\n m\"", "n + m",
            "min(n, 3)", "T.min(n, 3)",
            "T.if_then_else(n < m, n, 0)", "T.if_then_else(n < m, n, 0)");
    texts.forEach(
        (text, printed) ->
            assertThat(EmbeddedText.printExpr(parse(text, symbols), names)).isEqualTo(printed));
    TokenStream tokens = module("[n, 2]");
    tokens.expect("[");
    assertThat(EmbeddedText.parseExpr(tokens, symbols)).isSameAs(symbols.get("n"));
    assertThat(tokens.another("]")).isTrue();
  }

  @Test
  void mistakesInExpressionsAreShown() {
    assertThatThrownBy(() -> parse("1 + n", Map.of("m", Var.index("m"))))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "module.txt:1:5: unknown name 'n'\n  what there is: m\n  1 | 1 + n\n          ^");
    assertThatThrownBy(() -> parse("\"1 + $\"", Map.of()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "module.txt:1:1: the expression in the string \"1 + $\" cannot be read: expected a"
                + " word, number or operator, but got '$'\n"
                + "  1 | \"1 + $\"\n"
                + "      ^");
    assertThatThrownBy(() -> parse("\"1x\"", Map.of()))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "module.txt:1:1: the expression in the string \"1x\" cannot be read: expected the end"
                + " of a number, but got 'x'\n"
                + "  1 | \"1x\"\n"
                + "      ^");
  }

  @Test
  void namesWithoutADefinitionHaveNoText() {
    assertThatThrownBy(() -> EmbeddedText.printExpr(Var.index("n"), new Names()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no name was given to n");
  }

  @Test
  void annotationsAreReadAndPrinted() {
    String text = "{\"Primitive\": True, \"op_pattern\": 4, \"rate\": 0.5, \"name\": \"a\"}";
    Map<String, Object> annotations = EmbeddedText.parseAnnotations(module(text));
    assertThat(annotations)
        .containsExactly(
            Map.entry("Primitive", true),
            Map.entry("op_pattern", 4L),
            Map.entry("rate", 0.5),
            Map.entry("name", "a"));
    assertThat(EmbeddedText.printAnnotations(annotations)).isEqualTo(text);
  }
}
