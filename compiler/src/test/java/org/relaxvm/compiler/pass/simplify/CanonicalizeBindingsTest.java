package org.relaxvm.compiler.pass.simplify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.compiler.pass.simplify.Programs.VECTOR;
import static org.relaxvm.compiler.pass.simplify.Programs.assertBecomes;
import static org.relaxvm.compiler.pass.simplify.Programs.assertSame;
import static org.relaxvm.compiler.pass.simplify.Programs.local;
import static org.relaxvm.compiler.pass.simplify.Programs.main;
import static org.relaxvm.compiler.pass.simplify.Programs.program;
import static org.relaxvm.compiler.pass.simplify.Programs.pure;
import static org.relaxvm.compiler.pass.simplify.Programs.run;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;

class CanonicalizeBindingsTest {
  private static final CanonicalizeBindings CANONICALIZE = new CanonicalizeBindings();
  private static final Var N = Var.index("n");
  private static final Var M = Var.index("m");

  private static TensorType vector(Object extent) {
    return TensorType.of(DType.FLOAT32, extent);
  }

  @Test
  void variablesThatStandForOthersVanish() {
    assertBecomes(
        CANONICALIZE,
        main(f -> f.emit(f.emit(f.param("x", VECTOR)))),
        main(f -> f.param("x", VECTOR)));
  }

  @Test
  void anOutputReplacesWhatItStandsFor() {
    assertGives(
        "gv",
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              return f.emit(
                  f.dataflow(
                      () -> {
                        RelaxVar lv = f.emit(pure("f", x));
                        f.emit(pure("g", lv));
                        return lv;
                      }));
            }),
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              return f.dataflow(() -> pure("f", x));
            }));
  }

  /** Compares what is left when nobody uses the others, and the name of the result. */
  private static void assertGives(String result, IRModule before, IRModule expected) {
    IRModule cleaned = run(new DeadCodeElimination(), run(CANONICALIZE, before));
    assertSame(cleaned, expected);
    RelaxFunction main = cleaned.relaxFunctions().firstEntry().getValue();
    assertThat(main.body().body()).hasToString(result);
  }

  @Test
  void twoOutputsOfOneValueBecomeOne() {
    assertBecomes(
        CANONICALIZE,
        program(
            b ->
                b.function(
                    "main",
                    f -> {
                      RelaxVar x = f.param("x", VECTOR);
                      RelaxVar[] first = new RelaxVar[1];
                      RelaxVar second =
                          f.dataflow(
                              () -> {
                                RelaxVar lv = f.emit(pure("f", x));
                                first[0] = b.emitOutput(lv);
                                return lv;
                              });
                      return Tuple.of(first[0], second);
                    })),
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar gv = f.dataflow(() -> pure("f", x));
              return Tuple.of(gv, gv);
            }));
  }

  @Test
  void outputsThatNobodySeesBecomeDataflowVariables() {
    assertBecomes(
        CANONICALIZE,
        program(
            b ->
                b.function(
                    "main",
                    f -> {
                      RelaxVar x = f.param("x", VECTOR);
                      return f.dataflow(() -> pure("g", b.emitOutput(pure("f", x))));
                    })),
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              return f.dataflow(() -> pure("g", f.emit(pure("f", x))));
            }));
  }

  @Test
  void outputsThatLocalFunctionsUseStay() {
    IRModule module =
        program(
            b ->
                b.function(
                    "main",
                    f -> {
                      RelaxVar x = f.param("x", VECTOR);
                      return f.dataflow(
                          () -> {
                            RelaxVar out = b.emitOutput(pure("f", x));
                            RelaxVar p = new RelaxVar("p", VECTOR);
                            RelaxVar inner =
                                f.emit(
                                    local(b, List.of(p), body -> body.value = pure("g", p, out)));
                            return Call.of(inner, out);
                          });
                    }));
    assertBecomes(CANONICALIZE, module, module);
  }

  @Test
  void fieldsOfKnownTuplesAreWhatTheTupleWasMadeOf() {
    assertBecomes(
        CANONICALIZE,
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar y = f.param("y", VECTOR);
              RelaxVar t = f.emit(Tuple.of(x, y));
              RelaxVar u = f.emit(t);
              return pure("f", f.emit(new TupleGetItem(u, 1)), f.emit(new TupleGetItem(t, 0)));
            }),
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar y = f.param("y", VECTOR);
              f.emit(Tuple.of(x, y));
              return pure("f", y, x);
            }));
  }

  @Test
  void aFieldThatIsTakenAfterItsDataflowBlockBecomesAnOutput() {
    assertGives(
        "field",
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar t = f.dataflow(() -> Tuple.of(f.emit(pure("f", x)), x));
              return f.emit("field", new TupleGetItem(t, 0));
            }),
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              return f.dataflow(() -> pure("f", x));
            }));
  }

  @Test
  void aTupleOfAllFieldsOfATupleIsThatTuple() {
    TupleType pair = TupleType.of(VECTOR, VECTOR);
    assertBecomes(
        CANONICALIZE,
        main(
            f -> {
              RelaxVar t = f.param("t", pair);
              RelaxVar a = f.emit(new TupleGetItem(t, 0));
              RelaxVar b = f.emit(new TupleGetItem(t, 1));
              return Tuple.of(f.emit(Tuple.of(a, b)), f.emit(Tuple.of(b, a)), f.emit(Tuple.of(a)));
            }),
        main(
            f -> {
              RelaxVar t = f.param("t", pair);
              RelaxVar a = f.emit(new TupleGetItem(t, 0));
              RelaxVar b = f.emit(new TupleGetItem(t, 1));
              return Tuple.of(t, f.emit(Tuple.of(b, a)), f.emit(Tuple.of(a)));
            }));
  }

  @Test
  void constantsStandWhereTheyAreUsed() {
    Constant one = new Constant(Tensor.of(new float[] {1, 1, 1, 1}, Shape.of(4)));
    assertBecomes(
        CANONICALIZE,
        main(
            f -> {
              RelaxVar c = f.emit(one);
              return Tuple.of(f.emit(pure("f", c)), c);
            }),
        main(
            f -> {
              f.emit(one);
              return Tuple.of(f.emit(pure("f", one)), one);
            }));
  }

  @Test
  void matchCastsOfWhatIsKnownVanish() {
    assertBecomes(
        CANONICALIZE,
        main(f -> f.matchCast(f.param("x", vector(N)), vector(N))),
        main(f -> f.param("x", vector(N))));
  }

  @Test
  void symbolicVariablesForKnownExtentsVanish() {
    Var k = Var.index("k");
    assertBecomes(
        CANONICALIZE,
        main(
            f -> {
              RelaxVar x = f.param("x", vector(N));
              RelaxVar y = f.matchCast(x, vector(k));
              return CallOps.callPurePacked(
                  "f", List.of(y, ShapeExpr.of(Exprs.add(k, IntImm.of(1)))), vector(k));
            }),
        main(
            f -> {
              RelaxVar x = f.param("x", vector(N));
              return CallOps.callPurePacked(
                  "f", List.of(x, ShapeExpr.of(Exprs.add(N, IntImm.of(1)))), vector(N));
            }));
  }

  @Test
  void matchCastsThatCheckStay() {
    IRModule module =
        main(
            f -> {
              RelaxVar x = f.param("x", vector(N));
              RelaxVar y = f.param("y", vector(M));
              RelaxVar z = f.matchCast(y, vector(N));
              return Tuple.of(x, z, PrimValue.of(1));
            });
    assertBecomes(CANONICALIZE, module, module);
  }

  @Test
  void whatABranchKnowsIsForgottenAfterIt() {
    Var k = Var.index("k");
    assertBecomes(
        CANONICALIZE,
        main(
            f -> {
              RelaxVar c = f.param("c", TensorType.of(DType.BOOL));
              RelaxVar x = f.param("x", vector(N));
              RelaxVar y = f.param("y", vector(M));
              return f.choose(
                  c,
                  () -> pure("f", f.matchCast(x, vector(k))),
                  () -> pure("f", f.matchCast(y, vector(k))));
            }),
        main(
            f -> {
              RelaxVar c = f.param("c", TensorType.of(DType.BOOL));
              RelaxVar x = f.param("x", vector(N));
              RelaxVar y = f.param("y", vector(M));
              return f.choose(c, () -> pure("f", x), () -> pure("f", y));
            }));
  }

  @Test
  void contradictionsAreErrors() {
    Var k = Var.index("k");
    IRModule twice =
        main(
            f -> {
              RelaxVar x = f.param("x", vector(N));
              RelaxVar y = f.param("y", vector(Exprs.add(N, IntImm.of(1))));
              f.matchCast(x, vector(k));
              return f.matchCast(y, vector(k));
            });
    assertThatThrownBy(() -> run(CANONICALIZE, twice))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "match_cast: y can never be R.Tensor((n,), dtype=\"float32\"), for it is"
                + " R.Tensor((n + 1,), dtype=\"float32\")\n"
                + "  what to do: correct the type or the value of the match_cast\n"
                + "  at function main, gv1 = R.match_cast(y, R.Tensor((k,), dtype=\"float32\"))");
    IRModule atOnce =
        main(
            f -> {
              RelaxVar x = f.param("x", TensorType.of(DType.FLOAT32, 3, 4));
              return f.matchCast(x, TensorType.of(DType.FLOAT32, k, k));
            });
    assertThatThrownBy(() -> run(CANONICALIZE, atOnce))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the symbolic variable k cannot be both 3 and 4\n"
                + "  at function main, gv = R.match_cast(x, R.Tensor((k, k), dtype=\"float32\"))");
  }
}
