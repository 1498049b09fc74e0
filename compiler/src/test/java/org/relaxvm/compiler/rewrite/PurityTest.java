package org.relaxvm.compiler.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

class PurityTest {
  private static final TensorType VECTOR = TensorType.of(DType.FLOAT32, 4);
  private static final GlobalVar KERNEL = new GlobalVar("copy");
  private static final GlobalVar PURE = new GlobalVar("pure");
  private static final GlobalVar IMPURE = new GlobalVar("impure");

  private final RelaxVar x = new RelaxVar("x", VECTOR);
  private final Purity purity = Purity.in(module());

  private static IRModule module() {
    KernelBuilder k = new KernelBuilder("copy");
    TensorExpr a = k.input("A", DType.FLOAT32, List.of(IntImm.of(4)));
    PrimFunc copy = k.build(k.compute("B", a.shape(), a::at));
    return IRModule.EMPTY
        .with(KERNEL, new KernelFunction(copy))
        .with(PURE, new ExternFunc("pure", FuncType.of(List.of(VECTOR), VECTOR, true)))
        .with(IMPURE, new ExternFunc("impure", FuncType.of(List.of(VECTOR), VECTOR, false)));
  }

  @Test
  void operatorsSayWhetherTheyHaveAnEffect() {
    assertThat(purity.isImpure(Call.of(ValueOps.PRINT, x))).isTrue();
    assertThat(purity.isImpure(ValueOps.shapeOf(x))).isFalse();
    assertThat(purity.isImpure(CallOps.callPurePacked("f", List.of(x), VECTOR))).isFalse();
  }

  @Test
  void packedFunctionsHaveAnEffect() {
    assertThat(purity.isImpure(Call.packed("f", List.of(x), List.of(VECTOR)))).isTrue();
  }

  @Test
  void functionsOfTheModuleSayItByTheirTypes() {
    assertThat(purity.isImpure(Call.of(PURE, x))).isFalse();
    assertThat(purity.isImpure(Call.of(IMPURE, x))).isTrue();
    assertThat(purity.isImpure(Call.of(new GlobalVar("missing"), x))).isTrue();
  }

  @Test
  void aKernelWritesItsOutputsUnlessItIsCalledAsAnOperator() {
    assertThat(purity.isImpure(Call.of(KERNEL, x, x))).isTrue();
    assertThat(purity.isImpure(CallOps.callTir(KERNEL, List.of(x), VECTOR))).isFalse();
  }

  @Test
  void variablesSayItByTheirTypes() {
    RelaxVar pure = new RelaxVar("f", FuncType.of(List.of(VECTOR), VECTOR, true));
    RelaxVar impure = new RelaxVar("g", FuncType.of(List.of(VECTOR), VECTOR, false));
    RelaxVar unknown = new RelaxVar("h", AnyType.ANY);
    assertThat(purity.isImpure(Call.of(pure, x))).isFalse();
    assertThat(purity.isImpure(Call.of(impure, x))).isTrue();
    assertThat(purity.isImpure(Call.of(unknown, x))).isTrue();
  }

  @Test
  void anEffectInABranchCountsAndOneInALocalFunctionDoesNot() {
    SeqExpr effect =
        SeqExpr.of(
            List.of(
                new BindingBlock(
                    List.of(
                        new VarBinding(
                            new RelaxVar("gv", VECTOR),
                            Call.packed("f", List.of(x), List.of(VECTOR)))),
                    false)),
            x);
    SeqExpr nothing = new SeqExpr(List.of(), x, Optional.of(VECTOR));
    assertThat(purity.hasEffect(If.of(PrimValue.of(true), nothing, effect))).isTrue();
    assertThat(purity.hasEffect(If.of(PrimValue.of(true), nothing, nothing))).isFalse();
    assertThat(purity.hasEffect(new RelaxFunction(List.of(x), effect, VECTOR, false, Attrs.NONE)))
        .isFalse();
    assertThat(purity.hasEffect(Tuple.of(x, x))).isFalse();
  }
}
