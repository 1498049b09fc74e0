package org.relaxvm.compiler.pass.lower;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.Programs.assertEqual;
import static org.relaxvm.compiler.Programs.lines;
import static org.relaxvm.compiler.Programs.main;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.Kernels;
import org.relaxvm.compiler.Lowering;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.Var;

/** ToNonDataflow and RemovePurityChecking. */
class PurityTest {
  private static final TensorType FOUR = TensorType.of(DType.FLOAT32, 4);

  @Test
  void dataflowBlocksBecomeOrdinaryOnes() {
    GlobalVar add = new GlobalVar("add");
    IRModule program =
        main(
            List.of(Kernels.add()),
            f -> {
              RelaxVar x = f.param("x", FOUR);
              return f.dataflow(
                  () -> {
                    RelaxVar a = f.emit(CallOps.callTir(add, List.of(x, x), FOUR));
                    Var k = Var.index("k");
                    RelaxVar b = f.matchCast(a, TensorType.of(DType.FLOAT32, k));
                    return CallOps.callTir(add, List.of(b, b), TensorType.of(DType.FLOAT32, k));
                  });
            });
    IRModule expected =
        main(
            List.of(Kernels.add()),
            f -> {
              RelaxVar x = f.param("x", FOUR);
              RelaxVar a = f.emit(CallOps.callTir(add, List.of(x, x), FOUR));
              Var k = Var.index("k");
              RelaxVar b = f.matchCast(a, TensorType.of(DType.FLOAT32, k));
              TensorType type = TensorType.of(DType.FLOAT32, k);
              return f.emit(CallOps.callTir(add, List.of(b, b), type));
            });
    IRModule lowered = Lowering.run(new ToNonDataflow(), program);
    assertEqual(lowered, expected);
    assertThat(main(lowered).body().bindings())
        .noneMatch(binding -> binding.var() instanceof DataflowVar);
  }

  @Test
  void callsThatWereDeclaredToBePureBecomePlain() {
    IRModule program =
        main(
            List.of(),
            f -> {
              RelaxVar x = f.param("x", FOUR);
              RelaxVar closure = f.param("closure", AnyType.ANY);
              f.emit(CallOps.callPurePacked("add", List.of(x, x), FOUR));
              f.emit(
                  Call.of(
                      CallOps.CALL_INPLACE_PACKED,
                      List.<Expr>of(new ExternFunc("neg"), x),
                      Attrs.of("inplace_indices", List.of(0)),
                      List.of(FOUR)));
              return f.emit(
                  Call.of(
                      CallOps.INVOKE_PURE_CLOSURE,
                      List.of(closure, Tuple.of(x)),
                      Attrs.NONE,
                      List.of(FOUR)));
            });
    IRModule expected =
        main(
            List.of(),
            f -> {
              f.attr("relax.force_pure", true);
              RelaxVar x = f.param("x", FOUR);
              RelaxVar closure = f.param("closure", AnyType.ANY);
              f.emit(Call.packed("add", List.of(x, x), List.of(FOUR)));
              f.emit(Call.packed("neg", List.of(x), List.of(FOUR)));
              return f.emit(
                  Call.of(
                      CallOps.INVOKE_CLOSURE,
                      List.of(closure, Tuple.of(x)),
                      Attrs.NONE,
                      List.of(FOUR)));
            });
    assertEqual(Lowering.run(new RemovePurityChecking(), program), expected);
  }

  @Test
  void functionsInsideOfOthersAreMarkedToo() {
    IRModule program =
        main(
            List.of(),
            f -> {
              RelaxVar x = f.param("x", FOUR);
              RelaxVar y = new RelaxVar("y", FOUR);
              RelaxFunction local =
                  new RelaxFunction(List.of(y), SeqExpr.of(List.of(), y), FOUR, true, Attrs.NONE);
              RelaxVar function = f.emit("local", local);
              return f.emit(Call.of(function, x));
            });
    RelaxFunction lowered = main(Lowering.run(new RemovePurityChecking(), program));
    VarBinding first = (VarBinding) lowered.body().bindings().findFirst().orElseThrow();
    assertThat(((RelaxFunction) first.value()).attrs())
        .isEqualTo(Attrs.of("relax.force_pure", true));
    assertThat(lowered.isPure()).isTrue();
  }

  @Test
  void functionsWithEffectsAreNotMarked() {
    IRModule program =
        main(
            List.of(),
            f -> {
              f.impure();
              f.emit(Call.packed("use", List.of(), List.of()));
              return Tuple.EMPTY;
            });
    RelaxFunction lowered = main(Lowering.run(new RemovePurityChecking(), program));
    assertThat(lowered.attrs().has(RelaxFunction.FORCE_PURE)).isFalse();
    assertThat(lines(lowered)).containsExactly("gv = R.call_packed(\"use\")", "return ()");
  }
}
