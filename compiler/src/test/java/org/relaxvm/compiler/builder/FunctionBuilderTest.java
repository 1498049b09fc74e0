package org.relaxvm.compiler.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.wellformed.WellFormed;
import org.relaxvm.tir.expr.Var;

/** Programs as people write them. */
class FunctionBuilderTest {
  private static final OpDef NEG =
      OpDef.named("negative").args("x").rule(call -> call.tensor(0)).build();
  private static final OpDef MATMUL =
      OpDef.named("matmul")
          .args("a", "b")
          .rule(
              call ->
                  call.tensor(0)
                      .withDims(
                          List.of(
                              call.tensor(0).dims().orElseThrow().getFirst(),
                              call.tensor(1).dims().orElseThrow().getLast())))
          .build();
  private static final TensorType FOUR = TensorType.of(DType.FLOAT32, 4);
  private static final TensorType BOOL = TensorType.of(DType.BOOL);

  private final BlockBuilder program = new BlockBuilder();

  private static Call neg(Expr x) {
    return Call.of(NEG, x);
  }

  private static Call matmul(Expr a, Expr b) {
    return Call.of(MATMUL, a, b);
  }

  private RelaxFunction built(GlobalVar name) {
    IRModule module = program.module();
    WellFormed.check(module);
    return module.requireFunction(name);
  }

  private static List<String> bindings(RelaxFunction function) {
    return function.body().bindings().map(Binding::toString).toList();
  }

  @Test
  void buildsLayersWithASymbolicBatch() {
    Var n = Var.index("n");
    RelaxFunction main =
        built(
            program.function(
                "main",
                f -> {
                  RelaxVar x = f.param("x", TensorType.of(DType.FLOAT32, n, 784));
                  RelaxVar w1 = f.param("w1", TensorType.of(DType.FLOAT32, 784, 128));
                  RelaxVar w2 = f.param("w2", TensorType.of(DType.FLOAT32, 128, 10));
                  f.attr(RelaxFunction.NUM_INPUT, 1);
                  return f.dataflow(() -> matmul(neg(matmul(x, w1)), w2));
                }));
    assertThat(bindings(main))
        .containsExactly("lv = R.matmul(x, w1)", "lv1 = R.negative(lv)", "gv = R.matmul(lv1, w2)");
    assertThat(main.body().blocks()).extracting(BindingBlock::isDataflow).containsExactly(true);
    assertThat(main.resultType()).isEqualTo(TensorType.of(DType.FLOAT32, n, 10));
    assertThat(main.attrs()).isEqualTo(Attrs.of("global_symbol", "main").with("num_input", 1));
  }

  @Test
  void buildsAChoice() {
    RelaxFunction main =
        built(
            program.function(
                "main",
                f -> {
                  RelaxVar x = f.param("x", FOUR);
                  RelaxVar c = f.param("c", BOOL);
                  return f.choose(c, () -> neg(neg(x)), () -> x);
                }));
    assertThat(main.resultType()).isEqualTo(FOUR);
    If choice = (If) main.body().bindings().findFirst().orElseThrow().value();
    assertThat(choice.whenTrue().bindings())
        .hasToString("[gv = R.negative(x), gv1 = R.negative(gv)]");
    assertThat(choice.whenFalse().blocks()).isEmpty();
  }

  @Test
  void buildsDataflowBlocksInBranches() {
    RelaxFunction main =
        built(
            program.function(
                "main",
                f -> {
                  RelaxVar x = f.param("x", FOUR);
                  RelaxVar c = f.param("c", BOOL);
                  RelaxVar y = f.emit("y", neg(x));
                  return f.choose(c, () -> f.dataflow(() -> neg(neg(y))), () -> y);
                }));
    assertThat(bindings(main)).containsExactly("y = R.negative(x)", "gv1 = if c: ... else: ...");
  }

  @Test
  void buildsRecursion() {
    RelaxFunction main =
        built(
            program.function(
                "loop",
                f -> {
                  RelaxVar x = f.param("x", FOUR);
                  RelaxVar c = f.param("c", BOOL);
                  f.returns(FOUR);
                  return f.choose(c, () -> f.call(f.self(), neg(x), c), () -> x);
                }));
    assertThat(main.resultType()).isEqualTo(FOUR);
    assertThat(program.module().functions()).hasSize(1);
  }

  @Test
  void givesTuplesAndTakesThemApart() {
    GlobalVar pair =
        program.function(
            "pair",
            f -> {
              RelaxVar x = f.param("x", FOUR);
              return f.dataflow(() -> Tuple.of(neg(x), x));
            });
    RelaxFunction main =
        built(
            program.function(
                "main",
                f -> {
                  RelaxVar x = f.param("x", FOUR);
                  return f.item(f.call(pair, x), 1);
                }));
    assertThat(bindings(main)).containsExactly("gv = cls.pair(x)", "gv1 = gv[1]");
    assertThat(main.resultType()).isEqualTo(FOUR);
  }

  @Test
  void buildsLocalFunctionsThatSeeWhatIsAround() {
    RelaxFunction main =
        built(
            program.function(
                "main",
                f -> {
                  RelaxVar x = f.param("x", FOUR);
                  RelaxVar c = f.param("c", BOOL);
                  RelaxVar twice =
                      f.function(
                          "twice",
                          g -> {
                            RelaxVar a = g.param("a", FOUR);
                            return g.choose(c, () -> neg(neg(a)), () -> x);
                          });
                  return f.call(twice, x);
                }));
    assertThat(bindings(main)).containsExactly("twice = function(a)", "gv3 = twice(x)");
    RelaxFunction twice = (RelaxFunction) main.body().bindings().findFirst().orElseThrow().value();
    assertThat(twice.attrs()).isEqualTo(Attrs.NONE);
  }

  @Test
  void buildsLocalFunctionsThatCallThemselves() {
    RelaxFunction main =
        built(
            program.function(
                "main",
                f -> {
                  RelaxVar x = f.param("x", FOUR);
                  RelaxVar c = f.param("c", BOOL);
                  RelaxVar loop =
                      f.function(
                          "loop",
                          g -> {
                            RelaxVar a = g.param("a", FOUR);
                            g.returns(FOUR);
                            return g.choose(c, () -> g.call(g.self(), neg(a)), () -> a);
                          });
                  return f.call(loop, x);
                }));
    assertThat(main.resultType()).isEqualTo(FOUR);
  }

  @Test
  void saysWhatAValueIs() {
    Var n = Var.index("n");
    RelaxFunction main =
        built(
            program.function(
                "main",
                f -> {
                  RelaxVar x = f.param("x", TensorType.ofRank(DType.FLOAT32, 2));
                  f.matchCast(x, TensorType.of(DType.FLOAT32, n, 4));
                  return f.emit("s", ShapeExpr.of(n));
                }));
    assertThat(bindings(main))
        .containsExactly(
            "gv = R.match_cast(x, R.Tensor((n, 4), dtype=\"float32\"))", "s = R.shape([n])");
    assertThat(main.resultType()).isEqualTo(ShapeType.ofRank(1));
  }

  @Test
  void callsPackedFunctionsFromFunctionsThatAreNotPure() {
    RelaxFunction main =
        built(
            program.function(
                "main",
                f -> {
                  f.impure();
                  RelaxVar x = f.param("x", FOUR);
                  f.emit(Call.packed("notify", List.of(x), List.of(TupleType.VOID)));
                  return x;
                }));
    assertThat(main.isPure()).isFalse();
  }

  @Test
  void makesFunctionsThatOnlyTheirModuleSees() {
    RelaxFunction main =
        built(
            program.function(
                "main",
                f -> {
                  f.internal();
                  return f.param("x", FOUR);
                }));
    assertThat(main.attrs()).isEqualTo(Attrs.NONE);
  }

  @Test
  void namesASecondFunctionAfterTheFirst() {
    program.function("main", f -> f.param("x", FOUR));
    GlobalVar second = program.function("main", f -> f.param("x", FOUR));
    assertThat(second.name()).isEqualTo("main1");
    assertThat(built(second).attrs().text("global_symbol")).contains("main1");
  }

  @Test
  void refusesParametersAfterTheTypeOfTheResult() {
    assertThatThrownBy(
            () ->
                program.function(
                    "main",
                    f -> {
                      f.returns(FOUR);
                      return f.param("x", FOUR);
                    }))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the parameter x comes after returns(...); expected it before\n"
                + "  at function main");
  }

  @Test
  void refusesACallOfItselfWithoutATypeOfTheResult() {
    assertThatThrownBy(() -> program.function("main", f -> f.call(f.self(), f.param("x", FOUR))))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "a function that calls itself says what it gives; call returns(...) after the last"
                + " parameter first\n  at function main");
  }

  @Test
  void isAsItWasAfterAnError() {
    assertThatThrownBy(
            () ->
                program.function(
                    "main",
                    f -> {
                      RelaxVar x = f.param("x", FOUR);
                      f.returns(FOUR);
                      return f.choose(x, () -> x, () -> x);
                    }))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            """
            the condition x must be a boolean or a bool tensor without axes, but is \
            R.Tensor((4,), dtype="float32")
              at function main, if x: ... else: ...\
            """);
    assertThat(program.module().functions()).isEmpty();
    assertThat(program.function("main", f -> f.param("x", FOUR)).name()).isEqualTo("main");
  }
}
