package org.relaxvm.compiler.pass.simplify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.compiler.pass.simplify.Programs.VECTOR;
import static org.relaxvm.compiler.pass.simplify.Programs.assertBecomes;
import static org.relaxvm.compiler.pass.simplify.Programs.effect;
import static org.relaxvm.compiler.pass.simplify.Programs.local;
import static org.relaxvm.compiler.pass.simplify.Programs.program;
import static org.relaxvm.compiler.pass.simplify.Programs.pure;
import static org.relaxvm.compiler.pass.simplify.Programs.run;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

class LambdaLiftTest {
  private static final LambdaLift LIFT = new LambdaLift();

  private static Call closure(String name, Expr... captured) {
    return Call.of(CallOps.MAKE_CLOSURE, new GlobalVar(name), Tuple.of(captured));
  }

  private static Call invoke(OpDef invoke, Expr closure, Type result, Expr... args) {
    return Call.of(invoke, List.of(closure, Tuple.of(args)), Attrs.NONE, List.of(result));
  }

  @Test
  void aFunctionThatCapturesNothingIsCalledDirectly() {
    assertBecomes(
        LIFT,
        program(
            b ->
                b.function(
                    "main",
                    f -> {
                      RelaxVar x = f.param("x", VECTOR);
                      RelaxVar p = new RelaxVar("p", VECTOR);
                      RelaxVar inner =
                          f.emit("inner", local(b, List.of(p), body -> body.value = pure("f", p)));
                      return Call.of(inner, x);
                    })),
        program(
            b -> {
              b.function(
                  "main_inner",
                  f -> {
                    f.internal();
                    return pure("f", f.param("p", VECTOR));
                  });
              b.function("main", f -> Call.of(new GlobalVar("main_inner"), f.param("x", VECTOR)));
            }));
  }

  @Test
  void whatAFunctionCapturesBecomesItsLastParameters() {
    assertBecomes(
        LIFT,
        program(
            b ->
                b.function(
                    "main",
                    f -> {
                      RelaxVar x = f.param("x", VECTOR);
                      RelaxVar y = f.param("y", VECTOR);
                      RelaxVar p = new RelaxVar("p", VECTOR);
                      RelaxVar inner =
                          f.emit(
                              "inner", local(b, List.of(p), body -> body.value = pure("f", x, p)));
                      return Call.of(inner, y);
                    })),
        program(
            b -> {
              b.function(
                  "main",
                  f -> {
                    RelaxVar x = f.param("x", VECTOR);
                    RelaxVar y = f.param("y", VECTOR);
                    RelaxVar inner = f.emit(closure("main_inner", x));
                    return invoke(CallOps.INVOKE_PURE_CLOSURE, inner, VECTOR, y);
                  });
              b.function(
                  "main_inner",
                  f -> {
                    f.internal();
                    RelaxVar p = f.param("p", VECTOR);
                    RelaxVar x = f.param("x", VECTOR);
                    return pure("f", x, p);
                  });
            }));
  }

  @Test
  void closuresWithEffectsAreInvokedAsSuch() {
    IRModule lifted =
        run(
            LIFT,
            program(
                b ->
                    b.function(
                        "main",
                        f -> {
                          f.impure();
                          RelaxVar x = f.param("x", VECTOR);
                          RelaxVar inner =
                              f.emit(
                                  "inner",
                                  local(
                                      b,
                                      List.of(),
                                      body -> {
                                        body.isPure = false;
                                        body.value = effect("f", x);
                                      }));
                          return Call.of(inner);
                        })));
    RelaxFunction main = lifted.requireFunction(new GlobalVar("main"));
    assertThat(main.body().bindings().map(binding -> binding.value().toString()))
        .containsExactly("R.make_closure(cls.main_inner, (x,))", "R.invoke_closure(inner, ())");
    assertThat(lifted.requireFunction(new GlobalVar("main_inner")).isPure()).isFalse();
  }

  @Test
  void recursionGoesThroughTheModule() {
    FuncType type = FuncType.of(List.of(VECTOR), VECTOR, true);
    assertBecomes(
        LIFT,
        program(
            b ->
                b.function(
                    "main",
                    f -> {
                      RelaxVar x = f.param("x", VECTOR);
                      RelaxVar loop = new RelaxVar("loop", type);
                      RelaxVar p = new RelaxVar("p", VECTOR);
                      b.emitNormalized(
                          new VarBinding(
                              loop,
                              local(
                                  b,
                                  List.of(p),
                                  body -> body.value = Call.of(loop, pure("f", p, x)))));
                      return Call.of(loop, x);
                    })),
        program(
            b -> {
              b.function(
                  "main",
                  f -> {
                    RelaxVar x = f.param("x", VECTOR);
                    return invoke(
                        CallOps.INVOKE_PURE_CLOSURE, f.emit(closure("main_loop", x)), VECTOR, x);
                  });
              b.function(
                  "main_loop",
                  f -> {
                    f.internal();
                    RelaxVar p = f.param("p", VECTOR);
                    RelaxVar x = f.param("x", VECTOR);
                    f.returns(VECTOR);
                    return Call.of(f.self(), pure("f", p, x), x);
                  });
            }));
  }

  @Test
  void functionsInFunctionsAreLiftedToo() {
    assertBecomes(
        LIFT,
        program(
            b ->
                b.function(
                    "main",
                    f -> {
                      RelaxVar x = f.param("x", VECTOR);
                      RelaxVar p = new RelaxVar("p", VECTOR);
                      RelaxVar q = new RelaxVar("q", VECTOR);
                      RelaxVar outer =
                          f.emit(
                              "outer",
                              local(
                                  b,
                                  List.of(p),
                                  body -> {
                                    RelaxVar inner =
                                        b.emit(
                                            local(
                                                b, List.of(q), in -> in.value = pure("f", q, p, x)),
                                            "inner");
                                    body.value = Call.of(inner, x);
                                  }));
                      return Call.of(outer, x);
                    })),
        program(
            b -> {
              b.function(
                  "main",
                  f -> {
                    RelaxVar x = f.param("x", VECTOR);
                    return invoke(
                        CallOps.INVOKE_PURE_CLOSURE, f.emit(closure("main_outer", x)), VECTOR, x);
                  });
              b.function(
                  "main_outer",
                  f -> {
                    f.internal();
                    RelaxVar p = f.param("p", VECTOR);
                    RelaxVar x = f.param("x", VECTOR);
                    return invoke(
                        CallOps.INVOKE_PURE_CLOSURE,
                        f.emit(closure("main_inner", p, x)),
                        VECTOR,
                        x);
                  });
              b.function(
                  "main_inner",
                  f -> {
                    f.internal();
                    RelaxVar q = f.param("q", VECTOR);
                    RelaxVar p = f.param("p", VECTOR);
                    RelaxVar x = f.param("x", VECTOR);
                    return pure("f", q, p, x);
                  });
            }));
  }

  @Test
  void aCapturedClosureIsStillInvoked() {
    IRModule lifted =
        run(
            LIFT,
            program(
                b ->
                    b.function(
                        "main",
                        f -> {
                          RelaxVar x = f.param("x", VECTOR);
                          RelaxVar p = new RelaxVar("p", VECTOR);
                          RelaxVar q = new RelaxVar("q", VECTOR);
                          RelaxVar first =
                              f.emit(
                                  "first",
                                  local(b, List.of(p), body -> body.value = pure("f", p, x)));
                          RelaxVar second =
                              f.emit(
                                  "second",
                                  local(b, List.of(q), body -> body.value = Call.of(first, q)));
                          return Call.of(second, x);
                        })));
    RelaxFunction second = lifted.requireFunction(new GlobalVar("main_second"));
    assertThat(second.params().stream().map(param -> param + ": " + param.type()))
        .containsExactly("q: " + VECTOR, "first: " + AnyType.ANY);
    assertThat(second.body().bindings().map(binding -> binding.value().toString()))
        .containsExactly("R.invoke_pure_closure(first, (q,))");
  }

  @Test
  void whatAFunctionReturnsIsAClosure() {
    IRModule lifted =
        run(
            LIFT,
            program(
                b -> {
                  b.function(
                      "make",
                      f -> {
                        RelaxVar x = f.param("x", VECTOR);
                        RelaxVar p = new RelaxVar("p", VECTOR);
                        return f.emit(
                            "inner", local(b, List.of(p), body -> body.value = pure("f", p, x)));
                      });
                  b.function(
                      "plain",
                      f -> {
                        RelaxVar p = new RelaxVar("p", VECTOR);
                        return f.emit(
                            "inner", local(b, List.of(p), body -> body.value = pure("f", p)));
                      });
                  b.function(
                      "main",
                      f -> {
                        RelaxVar x = f.param("x", VECTOR);
                        RelaxVar made = f.emit("made", Call.of(new GlobalVar("make"), x));
                        RelaxVar other = f.emit("other", Call.of(new GlobalVar("plain")));
                        return Tuple.of(f.emit(Call.of(made, x)), f.emit(Call.of(other, x)));
                      });
                }));
    RelaxFunction main = lifted.requireFunction(new GlobalVar("main"));
    assertThat(main.body().bindings().map(binding -> binding.value().toString()))
        .containsExactly(
            "cls.make(x)",
            "cls.plain()",
            "R.invoke_pure_closure(made, (x,))",
            "R.invoke_pure_closure(other, (x,))");
    RelaxFunction plain = lifted.requireFunction(new GlobalVar("plain"));
    assertThat(plain.body().bindings().map(binding -> binding.value().toString()))
        .containsExactly("R.make_closure(cls.plain_inner, ())");
    assertThat(plain.resultType()).isEqualTo(AnyType.ANY);
  }

  @Test
  void aFunctionThatCapturesNothingIsPassedByName() {
    IRModule lifted =
        run(
            LIFT,
            program(
                b ->
                    b.function(
                        "main",
                        f -> {
                          RelaxVar p = new RelaxVar("p", VECTOR);
                          RelaxVar inner =
                              f.emit(
                                  "inner", local(b, List.of(p), body -> body.value = pure("f", p)));
                          return CallOps.callPurePacked("apply", List.of(inner), VECTOR);
                        })));
    RelaxFunction main = lifted.requireFunction(new GlobalVar("main"));
    assertThat(main.body().bindings().map(binding -> binding.value().toString()))
        .containsExactly("R.call_pure_packed(R.ExternFunc(\"apply\"), cls.main_inner)");
  }

  @Test
  void sizesThatNoTensorSaysAreCapturedAsAShape() {
    Var n = Var.index("n");
    PrimExpr next = Exprs.add(n, IntImm.of(1));
    TensorType vector = TensorType.of(DType.FLOAT32, n);
    IRModule lifted =
        run(
            LIFT,
            program(
                b ->
                    b.function(
                        "main",
                        f -> {
                          RelaxVar x = f.param("x", vector);
                          RelaxVar said =
                              f.emit(
                                  "said",
                                  local(
                                      b,
                                      List.of(),
                                      body ->
                                          body.value =
                                              CallOps.callPurePacked(
                                                  "f", List.of(x, ShapeExpr.of(next)), vector)));
                          RelaxVar unsaid =
                              f.emit(
                                  "unsaid",
                                  local(
                                      b,
                                      List.of(),
                                      body ->
                                          body.value =
                                              CallOps.callPurePacked(
                                                  "g", List.of(ShapeExpr.of(next)), VECTOR)));
                          return Tuple.of(f.emit(Call.of(said)), f.emit(Call.of(unsaid)));
                        })));
    RelaxFunction main = lifted.requireFunction(new GlobalVar("main"));
    assertThat(main.body().bindings().limit(2).map(binding -> binding.value().toString()))
        .containsExactly(
            "R.make_closure(cls.main_said, (x,))",
            "R.make_closure(cls.main_unsaid, (R.shape([n]),))");
    RelaxVar sizes = lifted.requireFunction(new GlobalVar("main_unsaid")).params().getFirst();
    assertThat(sizes.type()).hasToString("R.Shape([n])").isNotEqualTo(ShapeType.of(List.of(n)));
  }

  @Test
  void namesAreUnique() {
    IRModule lifted =
        run(
            LIFT,
            program(
                b -> {
                  b.function("main_inner", f -> f.param("x", VECTOR));
                  b.function(
                      "main",
                      f -> {
                        RelaxVar x = f.param("x", VECTOR);
                        RelaxVar r = x;
                        for (int i = 0; i < 2; i++) {
                          RelaxVar p = new RelaxVar("p", VECTOR);
                          RelaxFunction inner =
                              local(b, List.of(p), body -> body.value = pure("f", p));
                          RelaxVar var = new RelaxVar("inner", inner.type());
                          b.emitNormalized(new VarBinding(var, inner));
                          r = f.emit(Call.of(var, r));
                        }
                        return r;
                      });
                }));
    assertThat(lifted.functions().keySet().stream().map(GlobalVar::name))
        .containsExactly("main_inner", "main", "main_inner1", "main_inner2");
  }

  @Test
  void aNameThatTheLocalFunctionHasMustBeFree() {
    IRModule module =
        program(
            b -> {
              b.function("taken", f -> f.param("x", VECTOR));
              b.function(
                  "main",
                  f -> {
                    RelaxVar x = f.param("x", VECTOR);
                    RelaxVar p = new RelaxVar("p", VECTOR);
                    RelaxFunction inner =
                        local(b, List.of(p), body -> body.value = pure("f", p))
                            .withAttrs(Attrs.of(RelaxFunction.GLOBAL_SYMBOL, "taken"));
                    return Call.of(f.emit("inner", inner), x);
                  });
            });
    assertThatThrownBy(() -> run(LIFT, module))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the local function inner of main has the global_symbol taken, which is the name of"
                + " another function of the module\n"
                + "  what to do: give it another global_symbol, or none\n"
                + "  at function main, inner = function(p)");
  }
}
