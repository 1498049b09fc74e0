package org.relaxvm.compiler.pass.lower;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.Programs.lines;
import static org.relaxvm.compiler.Programs.main;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.Lowering;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.text.TirText;

class ComputePrimValueTest {
  private static final Var N = Var.index("n");
  private static final Var M = Var.index("m");

  private static IRModule lowered(PrimExpr... values) {
    IRModule program =
        main(
            List.of(),
            f -> {
              f.param("x", TensorType.of(DType.FLOAT32, N, M));
              for (PrimExpr value : values) {
                f.emit(
                    "_",
                    Call.packed("use", List.of(new PrimValue(value)), List.of(TupleType.VOID)));
              }
              return Tuple.EMPTY;
            });
    return Lowering.run(new ComputePrimValue(), program);
  }

  @Test
  void anExpressionIsComputedByAFunctionOfTheHost() {
    PrimExpr even = Exprs.eq(Exprs.floorMod(Exprs.add(M, N), 16), IntImm.of(0));
    IRModule module = lowered(even);
    assertThat(lines(main(module)))
        .containsExactly(
            "gv = cls.compute_symbolic_expr(R.prim_value(m), R.prim_value(n))",
            "_ = R.call_packed(\"use\", gv)",
            "return ()");
    KernelFunction function =
        (KernelFunction) module.require(new GlobalVar("compute_symbolic_expr"));
    assertThat(TirText.print(function.kernel()))
        .isEqualTo(
            """
            # relaxvm tir 1
            @T.prim_func(private=True)
            def compute_symbolic_expr(m: T.int64, n: T.int64) -> T.bool:
                T.func_attr({"tirx.is_host_func": True})
                return (m + n) % 16 == 0
            """);
  }

  @Test
  void equalExpressionsOfOtherVariablesShareAFunction() {
    IRModule module = lowered(Exprs.add(N, 1), Exprs.add(M, 1), Exprs.add(N, 2));
    assertThat(lines(main(module)))
        .containsExactly(
            "gv = cls.compute_symbolic_expr(R.prim_value(n))",
            "_ = R.call_packed(\"use\", gv)",
            "gv1 = cls.compute_symbolic_expr(R.prim_value(m))",
            "_1 = R.call_packed(\"use\", gv1)",
            "gv2 = cls.compute_symbolic_expr1(R.prim_value(n))",
            "_2 = R.call_packed(\"use\", gv2)",
            "return ()");
    assertThat(module.kernels().values().stream().map(KernelFunction::kernel).map(PrimFunc::name))
        .containsExactly("compute_symbolic_expr", "compute_symbolic_expr1");
  }

  @Test
  void variablesAndConstantsStay() {
    IRModule module = lowered(N, IntImm.of(3), Exprs.constant(DType.FLOAT32, 0.5));
    assertThat(module.kernels()).isEmpty();
    assertThat(lines(main(module)))
        .containsExactly(
            "_ = R.call_packed(\"use\", R.prim_value(n))",
            "_1 = R.call_packed(\"use\", R.prim_value(3))",
            "_2 = R.call_packed(\"use\", R.prim_value(T.float32(0.5)))",
            "return ()");
  }
}
