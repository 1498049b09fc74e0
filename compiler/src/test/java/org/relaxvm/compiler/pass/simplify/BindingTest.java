package org.relaxvm.compiler.pass.simplify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.compiler.pass.simplify.Programs.VECTOR;
import static org.relaxvm.compiler.pass.simplify.Programs.addOne;
import static org.relaxvm.compiler.pass.simplify.Programs.assertBecomes;
import static org.relaxvm.compiler.pass.simplify.Programs.local;
import static org.relaxvm.compiler.pass.simplify.Programs.main;
import static org.relaxvm.compiler.pass.simplify.Programs.program;
import static org.relaxvm.compiler.pass.simplify.Programs.pure;
import static org.relaxvm.compiler.pass.simplify.Programs.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

class BindingTest {
  private static final Var N = Var.index("n");
  private static final PrimExpr NEXT = Exprs.add(N, IntImm.of(1));

  private static TensorType vector(Object extent) {
    return TensorType.of(DType.FLOAT32, extent);
  }

  private static void assertFails(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(InvalidProgramException.class).hasMessage(message);
  }

  private static IRModule twoParams() {
    return main(
        f -> {
          f.attr(RelaxFunction.NUM_INPUT, 2L);
          RelaxVar x = f.param("x", vector(N));
          RelaxVar w = f.param("w", vector(N));
          RelaxVar out =
              f.emit(CallOps.callPurePacked("f", List.of(x, w, ShapeExpr.of(NEXT)), vector(NEXT)));
          return f.matchCast(out, vector(NEXT));
        });
  }

  @Test
  void aTensorReplacesAParameterAndSaysItsExtents() {
    Tensor weight = Tensor.of(new float[] {1, 2, 3}, Shape.of(3));
    assertBecomes(
        BindParams.ofTensors("main", Map.of("w", weight)),
        twoParams(),
        main(
            f -> {
              f.attr(RelaxFunction.NUM_INPUT, 1L);
              RelaxVar x = f.param("x", vector(3));
              RelaxVar out =
                  f.emit(
                      CallOps.callPurePacked(
                          "f", List.of(x, new Constant(weight), ShapeExpr.of(4)), vector(4)));
              return f.matchCast(out, vector(4));
            }));
  }

  @Test
  void whatIsNoLeafIsComputedOnce() {
    SequencedMap<String, Expr> values = new LinkedHashMap<>();
    values.put("y", pure("make"));
    assertBecomes(
        new BindParams("main", values),
        main(
            f -> {
              RelaxVar y = f.param("y", VECTOR);
              return Tuple.of(f.emit(pure("f", y)), y);
            }),
        main(
            f -> {
              RelaxVar y = f.emit(pure("make"));
              return Tuple.of(f.emit(pure("f", y)), y);
            }));
  }

  @Test
  void parametersOfLocalFunctionsChangeToo() {
    IRModule bound =
        run(
            BindSymbolicVars.of("main", "n", 5),
            program(
                b ->
                    b.function(
                        "main",
                        f -> {
                          RelaxVar x = f.param("x", vector(N));
                          RelaxVar p = new RelaxVar("p", vector(N));
                          RelaxVar inner =
                              f.emit(local(b, List.of(p), body -> body.value = pure("f", p)));
                          return Call.of(inner, x);
                        })));
    RelaxFunction main = bound.relaxFunctions().firstEntry().getValue();
    assertThat(main.functionType())
        .hasToString(
            "R.Callable((R.Tensor((5,), dtype=\"float32\"),), R.Tensor((4,), dtype=\"float32\"),"
                + " True)");
    RelaxFunction inner = (RelaxFunction) main.body().bindings().findFirst().orElseThrow().value();
    assertThat(inner.params().getFirst().type()).isEqualTo(vector(5));
  }

  @Test
  void wrongParametersAreErrors() {
    Tensor three = Tensor.of(new float[3], Shape.of(3));
    assertFails(
        () -> run(BindParams.ofTensors("main", Map.of("z", three)), twoParams()),
        "the function main has no parameter z; it has [x, w]\n  what to do: name one of them");
    assertFails(
        () -> run(BindParams.ofTensors("other", Map.of("z", three)), twoParams()),
        "the module has no function other; it has main");
    IRModule same = main(f -> Tuple.of(f.param("x", vector(3)), f.param("x", vector(3))));
    assertFails(
        () -> run(BindParams.ofTensors("main", Map.of("x", three)), same),
        "the function main has 2 parameters of the name x; it has [x, x]\n"
            + "  what to do: give its parameters different names");
    IRModule wide = main(f -> f.param("x", VECTOR));
    assertFails(
        () -> run(BindParams.ofTensors("main", Map.of("x", three)), wide),
        "the parameter x of main is R.Tensor((4,), dtype=\"float32\"), but the value that"
            + " replaces it is R.Tensor((3,), dtype=\"float32\")\n"
            + "  what to do: give a value of the type of the parameter");
    SequencedMap<String, Tensor> two = new LinkedHashMap<>();
    two.put("x", three);
    two.put("w", Tensor.of(new float[4], Shape.of(4)));
    assertFails(
        () -> run(BindParams.ofTensors("main", two), twoParams()),
        "the symbolic variable n cannot be both 3 and 4\n  at function main, parameter w");
    IRModule kernel = program(b -> b.addFunction(addOne("k", List.of(IntImm.of(4))), "k"));
    assertFails(
        () -> run(BindParams.ofTensors("k", Map.of("x", three)), kernel),
        "the function k is a kernel or a packed function, and only functions in Relax IR can be"
            + " specialized; there are []");
  }

  @Test
  void aSizeThatNothingSaysAnyMoreIsAnError() {
    SequencedMap<String, Expr> values = new LinkedHashMap<>();
    values.put("x", CallOps.callPurePacked("f", List.of(), vector(4)));
    IRModule module =
        main(
            f -> {
              f.param("x", vector(N));
              return ShapeExpr.of(N);
            });
    assertFails(
        () -> run(new BindParams("main", values), module),
        "the function main would use n, which no parameter and no match_cast says any more\n"
            + "  what to do: bind it to a value as well");
  }

  @Test
  void numbersReplaceSymbolicVariables() {
    assertBecomes(
        BindSymbolicVars.of("main", "n", 3),
        twoParams(),
        main(
            f -> {
              f.attr(RelaxFunction.NUM_INPUT, 2L);
              RelaxVar x = f.param("x", vector(3));
              RelaxVar w = f.param("w", vector(3));
              RelaxVar out =
                  f.emit(CallOps.callPurePacked("f", List.of(x, w, ShapeExpr.of(4)), vector(4)));
              return f.matchCast(out, vector(4));
            }));
  }

  @Test
  void bindsInAllFunctionsThatHaveSuchAVariable() {
    Var other = Var.index("n");
    SequencedMap<String, PrimExpr> values = new LinkedHashMap<>();
    values.put("n", IntImm.of(2));
    assertBecomes(
        new BindSymbolicVars(values, Optional.empty()),
        program(
            b -> {
              b.function("first", f -> f.param("x", vector(N)));
              b.function("second", f -> f.param("x", vector(other)));
              b.function("third", f -> f.param("x", VECTOR));
            }),
        program(
            b -> {
              b.function("first", f -> f.param("x", vector(2)));
              b.function("second", f -> f.param("x", vector(2)));
              b.function("third", f -> f.param("x", VECTOR));
            }));
  }

  @Test
  void wrongSymbolicVariablesAreErrors() {
    assertFails(
        () -> run(BindSymbolicVars.of("main", "m", 3), twoParams()),
        "the function main has no symbolic variable m; it has n\n  what to do: name one of them");
    IRModule two =
        main(f -> Tuple.of(f.param("x", vector(N)), f.param("y", vector(Var.index("n")))));
    assertFails(
        () -> run(BindSymbolicVars.of("main", "n", 3), two),
        "the function main has 2 symbolic variables of the name n, so one of them cannot be meant\n"
            + "  what to do: give them different names");
    SequencedMap<String, PrimExpr> unknown = new LinkedHashMap<>();
    unknown.put("n", Exprs.add(Var.index("k"), IntImm.of(1)));
    assertFails(
        () -> run(new BindSymbolicVars(unknown, Optional.empty()), twoParams()),
        "the function main would use k, which no parameter and no match_cast says any more\n"
            + "  what to do: bind it to a value as well");
    unknown.put("q", IntImm.of(1));
    unknown.remove("n");
    assertFails(
        () -> run(new BindSymbolicVars(unknown, Optional.empty()), twoParams()),
        "the module has no symbolic variable q; its functions have n\n"
            + "  what to do: name one of them");
  }
}
