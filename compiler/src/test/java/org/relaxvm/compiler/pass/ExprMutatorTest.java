package org.relaxvm.compiler.pass;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.compiler.rewrite.FreeVars;
import org.relaxvm.compiler.rewrite.StructuralEquality;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.wellformed.WellFormed;
import org.relaxvm.tir.expr.Var;

/** What rewriting keeps and what it makes anew: docs/spec/relax-ir.md, section 11. */
class ExprMutatorTest {
  private static final OpDef NEG =
      OpDef.named("negative").args("x").rule(call -> call.tensor(0)).build();
  private static final OpDef HALVES =
      OpDef.named("halves")
          .args("x")
          .rule(call -> call.tensor(0).withDType(Optional.of(DType.FLOAT16)))
          .build();
  private static final OpDef FORGET =
      OpDef.named("forget")
          .args("x")
          .rule(call -> call.tensor(0).withRank(call.tensor(0).ndim()))
          .build();

  /** Replaces one operator by another. */
  private static IRModule replacing(IRModule module, OpDef from, OpDef to) {
    IRModule result =
        new ExprMutator(module) {
          @Override
          protected Expr rewrite(Call call) {
            Call parts = rewriteParts(call);
            return parts.callee().equals(from) ? Call.of(to, parts.args(), Attrs.NONE) : parts;
          }
        }.run();
    WellFormed.check(result);
    return result;
  }

  private static IRModule program() {
    BlockBuilder program = new BlockBuilder();
    Var n = Var.index("n");
    program.function(
        "main",
        f -> {
          RelaxVar x = f.param("x", TensorType.of(DType.FLOAT32, n));
          RelaxVar c = f.param("c", TensorType.of(DType.BOOL));
          RelaxVar y = f.dataflow(() -> Call.of(NEG, Call.of(NEG, x)));
          RelaxVar g =
              f.function(
                  "g",
                  local -> {
                    RelaxVar a = local.param("a", TensorType.of(DType.FLOAT32, Var.index("m")));
                    return Call.of(NEG, a);
                  });
          return f.choose(c, () -> f.call(g, y), () -> f.matchCast(y, y.type()));
        });
    return program.module();
  }

  private static RelaxFunction main(IRModule module) {
    return module.requireFunction(new GlobalVar("main"));
  }

  @Test
  void keepsTheFunctionWhenNothingChanges() {
    IRModule before = program();
    IRModule after = replacing(before, FORGET, NEG);
    assertThat(main(after)).isEqualTo(main(before));
  }

  @Test
  void makesANewVariableWhereTheTypeOfAValueChanges() {
    BlockBuilder program = new BlockBuilder();
    program.function(
        "main",
        f -> {
          RelaxVar x = f.param("x", TensorType.of(DType.FLOAT32, 4));
          RelaxVar c = f.param("c", TensorType.of(DType.BOOL));
          RelaxVar y = f.dataflow(() -> Call.of(NEG, Call.of(NEG, x)));
          RelaxVar g = f.function("g", local -> y);
          return f.choose(c, () -> f.call(g), () -> y);
        });
    IRModule after = replacing(program.module(), NEG, HALVES);
    RelaxVar old = main(program.module()).body().bindings().findFirst().orElseThrow().var();
    RelaxVar now = main(after).body().bindings().findFirst().orElseThrow().var();
    assertThat(now).isNotEqualTo(old).isInstanceOf(DataflowVar.class).hasToString(old.name());
    assertThat(main(after).body().bindings().map(Binding::toString).toList())
        .isEqualTo(
            main(program.module()).body().bindings().map(Binding::toString).toList().stream()
                .map(text -> text.replace("negative", "halves"))
                .toList());
    assertThat(main(after).body().bindings().map(binding -> binding.var().type()).toList())
        .containsExactly(
            TensorType.of(DType.FLOAT16, 4),
            TensorType.of(DType.FLOAT16, 4),
            FuncType.of(List.of(), TensorType.of(DType.FLOAT16, 4), true),
            TensorType.of(DType.FLOAT16, 4));
    assertThat(main(after).resultType()).isEqualTo(TensorType.of(DType.FLOAT16, 4));
  }

  @Test
  void keepsTheTypeOfTheResultWhenLessIsKnownOfTheBody() {
    IRModule before = program();
    IRModule after = replacing(before, NEG, FORGET);
    assertThat(main(after).resultType()).isEqualTo(main(before).resultType());
    assertThat(main(after).body().type()).isEqualTo(TensorType.ofRank(DType.FLOAT32, 1));
  }

  @Test
  void newBindingsHaveNamesThatNoOtherHas() {
    IRModule module =
        Stages.parse(
            """
            @R.function
            def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
                with R.dataflow():
                    a = R.exp(x)
                    lv = R.negative(a)
                    lv1 = R.exp(lv)
                    R.output(lv1)
                if c:
                    gv = R.exp(lv1)
                    r = gv
                else:
                    gv1 = R.exp(x)
                    r = gv1
                return r
            """);
    IRModule result =
        new ExprMutator(module) {
          @Override
          protected Expr rewrite(Call call) {
            Call parts = rewriteParts(call);
            return parts.callee().equals(Functions.EXP)
                ? Functions.sin(builder.emit(Functions.cos(parts.args().getFirst())))
                : parts;
          }
        }.run();
    WellFormed.check(result);
    List<String> names =
        FreeVars.boundIn(result.requireFunction(new GlobalVar("main"))).stream()
            .map(RelaxVar::name)
            .toList();
    assertThat(names).hasSize(12).doesNotHaveDuplicates();
    String printed = RelaxText.print(result);
    assertThat(printed).contains("lv2: ", "gv2: ", "gv3: ");
    IRModule again = RelaxText.parse(printed, "printed", StandardOps.registry());
    assertThat(StructuralEquality.areEqual(result, again)).isTrue();
    assertThat(RelaxText.print(again)).isEqualTo(printed);
  }
}
