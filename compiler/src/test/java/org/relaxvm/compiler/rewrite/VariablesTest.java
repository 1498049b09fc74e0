package org.relaxvm.compiler.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.pass.ExprMutator;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;

class VariablesTest {
  private static final TensorType VECTOR = TensorType.of(DType.FLOAT32, 4);

  private final Var n = Var.index("n");
  private final RelaxVar x = new RelaxVar("x", TensorType.of(DType.FLOAT32, n));
  private final RelaxVar p = new RelaxVar("p", VECTOR);
  private final RelaxVar self = new RelaxVar("self", FuncType.of(List.of(VECTOR), VECTOR, true));

  /** {@code self = function(p): gv = self(p); return f(gv, x)} and a call of it. */
  private RelaxFunction withRecursion() {
    BlockBuilder b = new BlockBuilder();
    b.beginFunction("main", List.of(x));
    b.beginBlock(false);
    b.beginFunction("self", List.of(p));
    b.beginBlock(false);
    RelaxVar again = b.emit(Call.of(self, p), "again");
    b.endBlock();
    RelaxFunction inner =
        b.endFunction(
            List.of(p),
            CallOps.callPurePacked("f", List.of(again, x, ShapeExpr.of(n)), VECTOR),
            Optional.empty(),
            true,
            Attrs.NONE);
    b.emitNormalized(new VarBinding(self, inner));
    b.endBlock();
    return b.endFunction(List.of(x), self, Optional.empty(), true, Attrs.NONE);
  }

  @Test
  void aRecursiveFunctionIsNotFreeInItsProgram() {
    RelaxFunction main = withRecursion();
    VarBinding binding = (VarBinding) main.body().bindings().findFirst().orElseThrow();
    assertThat(FreeVars.of(main)).isEmpty();
    assertThat(FreeVars.of(binding.value())).containsExactly(self, x);
    assertThat(FreeVars.of(main.body())).containsExactly(x);
    assertThat(FreeVars.boundIn(main).stream().map(RelaxVar::name))
        .containsExactly("x", "p", "again", "gv", "self");
    assertThat(FreeVars.allIn(binding.value()).stream().map(RelaxVar::name))
        .containsExactly("p", "self", "again", "x", "gv");
    assertThat(FreeVars.symbolsOf(binding.value())).containsExactly(n);
    assertThat(FreeVars.symbolsOf(main)).isEmpty();
    assertThat(FreeVars.symbolsBoundIn(main)).containsExactly(n);
  }

  @Test
  void variablesInTypesAreUsed() {
    RelaxVar shape = new RelaxVar("s", ShapeType.ofRank(1));
    TensorType type = TensorType.of(Optional.of(DType.FLOAT32), shape);
    Call call = CallOps.callPurePacked("f", List.of(), TupleType.of(type, VECTOR));
    assertThat(FreeVars.of(call)).containsExactly(shape);
  }

  @Test
  void matchCastsDefineSymbolicVariables() {
    Var m = Var.index("m");
    BlockBuilder b = new BlockBuilder();
    GlobalVar main =
        b.function(
            "main",
            f -> {
              RelaxVar y = f.param("y", TensorType.ofRank(DType.FLOAT32, 1));
              f.matchCast(y, TensorType.of(DType.FLOAT32, m));
              return ShapeExpr.of(m);
            });
    RelaxFunction function = b.module().requireFunction(main);
    assertThat(FreeVars.symbolsOf(function)).isEmpty();
    assertThat(FreeVars.symbolsOf(function.body().body())).containsExactly(m);
  }

  @Test
  void aCopySharesNothingThatOneOfThemBinds() {
    RelaxFunction main = withRecursion();
    RelaxFunction copy = FreshCopy.of(main);
    assertThat(StructuralEquality.areEqual((org.relaxvm.compiler.ir.Expr) copy, main)).isTrue();
    assertThat(FreeVars.allIn(copy)).doesNotContainAnyElementsOf(FreeVars.allIn(main));
    assertThat(FreeVars.symbolsIn(copy)).hasSize(1).doesNotContain(n);
  }

  @Test
  void aCopyCanReplaceFreeVariables() {
    RelaxFunction inner =
        (RelaxFunction) withRecursion().body().bindings().findFirst().orElseThrow().value();
    GlobalVar global = new GlobalVar("g");
    RelaxFunction copy = FreshCopy.of(inner, Map.of(self, global));
    assertThat(copy.body().bindings().map(binding -> binding.value().toString()))
        .containsExactly(
            "cls.g(p)", "R.call_pure_packed(R.ExternFunc(\"f\"), again, x, R.shape([n]))");
    assertThat(FreeVars.of(copy)).containsExactly(x);
    assertThat(FreeVars.symbolsOf(copy)).containsExactly(n);
  }

  @Test
  void extentsOfValuesSayWhatSymbolicVariablesAre() {
    SymbolInference inference = new SymbolInference(new Analyzer());
    Type declared = TupleType.of(TensorType.of(DType.FLOAT32, n, 4), ShapeType.of(List.of(n)));
    inference.match(
        declared,
        TupleType.of(TensorType.of(DType.FLOAT32, 3, 4), ShapeType.of(List.of(IntImm.of(3)))));
    assertThat(inference.values()).containsExactly(Map.entry(n, IntImm.of(3)));
    inference.match(declared, VECTOR);
    inference.match(TensorType.of(DType.FLOAT32, n), TensorType.ofRank(DType.FLOAT32, 1));
    inference.match(
        TensorType.of(DType.FLOAT32, Exprs.add(n, IntImm.of(1))), TensorType.of(DType.FLOAT32, 9));
    assertThat(inference.values()).containsExactly(Map.entry(n, IntImm.of(3)));
    assertThatThrownBy(() -> inference.bind(n, IntImm.of(4)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the symbolic variable n cannot be both 3 and 4");
  }

  @Test
  void whatIsNotKnownToDifferIsNoConflict() {
    SymbolInference inference = new SymbolInference(new Analyzer());
    inference.bind(n, Var.index("a"));
    inference.bind(n, Var.index("b"));
    assertThat(inference.values().get(n)).hasToString("a");
  }

  @Test
  void aValueOfAnotherTypeGetsANewVariable() {
    BlockBuilder b = new BlockBuilder();
    GlobalVar main =
        b.function(
            "main",
            f -> {
              RelaxVar y = f.param("y", VECTOR);
              RelaxVar a = f.emit("a", CallOps.callPurePacked("f", List.of(y), VECTOR));
              return CallOps.callPurePacked("g", List.of(a), VECTOR);
            });
    IRModule before = b.module();
    TensorType wide = TensorType.of(DType.FLOAT32, 8);
    IRModule after =
        new ExprMutator(before) {
          @Override
          protected org.relaxvm.compiler.ir.Expr rewrite(Call call) {
            Call parts = rewriteParts(call);
            return call.args().getFirst().toString().contains("\"f\"")
                ? CallOps.callPurePacked("f", parts.args().subList(1, 2), wide)
                : parts;
          }
        }.run();
    VarBinding old =
        (VarBinding) before.requireFunction(main).body().bindings().findFirst().orElseThrow();
    List<VarBinding> now =
        after.requireFunction(main).body().bindings().map(VarBinding.class::cast).toList();
    assertThat(now.getFirst().var()).isNotSameAs(old.var()).hasToString("a");
    assertThat(now.getFirst().var().type()).isEqualTo(wide);
    assertThat(((Call) now.getLast().value()).args().getLast()).isSameAs(now.getFirst().var());
  }
}
