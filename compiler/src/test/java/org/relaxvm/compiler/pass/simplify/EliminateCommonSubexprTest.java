package org.relaxvm.compiler.pass.simplify;

import static org.relaxvm.compiler.pass.simplify.Programs.VECTOR;
import static org.relaxvm.compiler.pass.simplify.Programs.assertBecomes;
import static org.relaxvm.compiler.pass.simplify.Programs.effect;
import static org.relaxvm.compiler.pass.simplify.Programs.local;
import static org.relaxvm.compiler.pass.simplify.Programs.main;
import static org.relaxvm.compiler.pass.simplify.Programs.program;
import static org.relaxvm.compiler.pass.simplify.Programs.pure;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.core.MemoryOps;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.Var;

class EliminateCommonSubexprTest {
  private static final EliminateCommonSubexpr CSE = new EliminateCommonSubexpr();

  @Test
  void laterEqualValuesStandForTheFirst() {
    assertBecomes(
        CSE,
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar a = f.emit(pure("add", x));
              RelaxVar b = f.emit(pure("add", x));
              return pure("multiply", a, b);
            }),
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar a = f.emit(pure("add", x));
              f.emit(a);
              return pure("multiply", a, a);
            }));
  }

  @Test
  void findsChainsOfEqualValues() {
    assertBecomes(
        CSE,
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar a = f.emit(pure("f", pure("g", x)));
              RelaxVar b = f.emit(pure("f", pure("g", x)));
              return Tuple.of(a, b);
            }),
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar g = f.emit(pure("g", x));
              RelaxVar a = f.emit(pure("f", g));
              f.emit(g);
              f.emit(a);
              return Tuple.of(a, a);
            }));
  }

  @Test
  void comparesConstantsByTheirData() {
    assertBecomes(
        CSE,
        main(
            f -> {
              RelaxVar a = f.emit(pure("f", constant(1)));
              RelaxVar b = f.emit(pure("f", constant(1)));
              RelaxVar c = f.emit(pure("f", constant(2)));
              return Tuple.of(a, b, c);
            }),
        main(
            f -> {
              RelaxVar a = f.emit(pure("f", constant(1)));
              f.emit(a);
              RelaxVar c = f.emit(pure("f", constant(2)));
              return Tuple.of(a, a, c);
            }));
  }

  private static Constant constant(float value) {
    return new Constant(Tensor.of(new float[] {value}, Shape.of(1)));
  }

  @Test
  void doesNotShareCallsWithEffectsNorMemory() {
    Call memory =
        Call.of(
            MemoryOps.BUILTIN_ALLOC_TENSOR,
            ShapeExpr.of(4),
            new DataTypeImm(DType.FLOAT32),
            PrimValue.of(0),
            new StringImm(MemoryOps.GLOBAL));
    IRModule module =
        main(
            f -> {
              f.impure();
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar a = f.emit(effect("f", x));
              RelaxVar b = f.emit(effect("f", x));
              RelaxVar c = f.emit(memory);
              RelaxVar d = f.emit(memory);
              return Tuple.of(a, b, c, d);
            });
    assertBecomes(CSE, module, module);
  }

  @Test
  void sharesOnlyCallsWhereThatIsAsked() {
    IRModule before =
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar a = f.emit(Tuple.of(x, x));
              RelaxVar b = f.emit(Tuple.of(x, x));
              return Tuple.of(a, b);
            });
    assertBecomes(new EliminateCommonSubexpr(true), before, before);
    assertBecomes(
        CSE,
        before,
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar a = f.emit(Tuple.of(x, x));
              f.emit(a);
              return Tuple.of(a, a);
            }));
  }

  @Test
  void anOutputOfADataflowBlockIsSharedInItOnly() {
    assertBecomes(
        CSE,
        program(
            b ->
                b.function(
                    "main",
                    f -> {
                      RelaxVar x = f.param("x", VECTOR);
                      RelaxVar[] out = new RelaxVar[1];
                      RelaxVar gv =
                          f.dataflow(
                              () -> {
                                f.emit(pure("f", x));
                                out[0] = b.emitOutput(pure("f", x));
                                return pure("g", out[0]);
                              });
                      return Tuple.of(gv, out[0], f.emit(pure("f", x)));
                    })),
        program(
            b ->
                b.function(
                    "main",
                    f -> {
                      RelaxVar x = f.param("x", VECTOR);
                      RelaxVar[] out = new RelaxVar[1];
                      RelaxVar gv =
                          f.dataflow(
                              () -> {
                                RelaxVar lv = f.emit(pure("f", x));
                                out[0] = b.emitOutput(lv);
                                return pure("g", lv);
                              });
                      return Tuple.of(gv, out[0], f.emit(pure("f", x)));
                    })));
  }

  @Test
  void branchesSeeWhatIsInFrontOfThemButNotEachOther() {
    TensorType bool = TensorType.of(DType.BOOL);
    assertBecomes(
        CSE,
        main(
            f -> {
              RelaxVar c = f.param("c", bool);
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar a = f.emit(pure("f", x));
              RelaxVar r =
                  f.choose(
                      c,
                      () -> pure("g", f.emit(pure("f", x)), f.emit(pure("h", x))),
                      () -> f.emit(pure("h", x)));
              return Tuple.of(a, r, f.emit(pure("h", x)));
            }),
        main(
            f -> {
              RelaxVar c = f.param("c", bool);
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar a = f.emit(pure("f", x));
              RelaxVar r =
                  f.choose(
                      c,
                      () -> {
                        f.emit(a);
                        return pure("g", a, f.emit(pure("h", x)));
                      },
                      () -> f.emit(pure("h", x)));
              return Tuple.of(a, r, f.emit(pure("h", x)));
            }));
  }

  @Test
  void localFunctionsShareNothingWithWhatIsAroundThem() {
    IRModule module =
        program(
            b ->
                b.function(
                    "main",
                    f -> {
                      RelaxVar x = f.param("x", VECTOR);
                      RelaxVar a = f.emit(pure("f", x));
                      RelaxVar p = new RelaxVar("p", VECTOR);
                      RelaxVar inner =
                          f.emit(
                              local(
                                  b, List.of(p), body -> body.value = pure("g", p, pure("f", x))));
                      return Tuple.of(a, f.emit(Call.of(inner, x)));
                    }));
    assertBecomes(CSE, module, module);
  }

  @Test
  void matchCastsAreSharedWhenTheySayTheSameOfTheSame() {
    Var n = Var.index("n");
    Var m = Var.index("m");
    assertBecomes(
        CSE,
        main(
            f -> {
              RelaxVar x = f.param("x", TensorType.ofRank(DType.FLOAT32, 1));
              RelaxVar a = f.matchCast(x, TensorType.of(DType.FLOAT32, n));
              RelaxVar b = f.matchCast(x, TensorType.of(DType.FLOAT32, n));
              RelaxVar c = f.matchCast(x, TensorType.of(DType.FLOAT32, m));
              return Tuple.of(a, b, c);
            }),
        main(
            f -> {
              RelaxVar x = f.param("x", TensorType.ofRank(DType.FLOAT32, 1));
              RelaxVar a = f.matchCast(x, TensorType.of(DType.FLOAT32, n));
              f.emit(a);
              RelaxVar c = f.matchCast(x, TensorType.of(DType.FLOAT32, m));
              return Tuple.of(a, a, c);
            }));
  }
}
