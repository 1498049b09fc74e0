package org.relaxvm.compiler.pass.simplify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.compiler.pass.simplify.Programs.VECTOR;
import static org.relaxvm.compiler.pass.simplify.Programs.addOne;
import static org.relaxvm.compiler.pass.simplify.Programs.assertBecomes;
import static org.relaxvm.compiler.pass.simplify.Programs.effect;
import static org.relaxvm.compiler.pass.simplify.Programs.local;
import static org.relaxvm.compiler.pass.simplify.Programs.main;
import static org.relaxvm.compiler.pass.simplify.Programs.program;
import static org.relaxvm.compiler.pass.simplify.Programs.pure;
import static org.relaxvm.compiler.pass.simplify.Programs.run;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.rewrite.Purity;
import org.relaxvm.compiler.rewrite.RemoveUnused;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;

class DeadCodeEliminationTest {
  private static final DeadCodeElimination DCE = new DeadCodeElimination();

  @Test
  void removesBindingsThatNobodyUses() {
    assertBecomes(
        DCE,
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar lv = f.emit(pure("f", x));
              RelaxVar dead = f.emit(pure("g", x));
              f.emit(pure("h", dead));
              return lv;
            }),
        main(f -> f.emit(pure("f", f.param("x", VECTOR)))));
  }

  @Test
  void removesDeadOutputsOfDataflowBlocksAndEmptyBlocks() {
    assertBecomes(
        DCE,
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar gv = f.dataflow(() -> pure("f", x));
              f.emit(pure("between", x));
              f.dataflow(() -> pure("g", pure("h", gv)));
              return gv;
            }),
        main(
            f -> {
              RelaxVar x = f.param("x", VECTOR);
              return f.dataflow(() -> pure("f", x));
            }));
  }

  @Test
  void keepsCallsWithEffectsAndWhatTheyUse() {
    IRModule module =
        main(
            f -> {
              f.impure();
              RelaxVar x = f.param("x", VECTOR);
              f.emit(effect("print", pure("f", x)));
              return x;
            });
    assertBecomes(DCE, module, module);
  }

  @Test
  void keepsChoicesWithEffectsAndCleansTheirBranches() {
    TensorType bool = TensorType.of(DType.BOOL);
    assertBecomes(
        DCE,
        main(
            f -> {
              f.impure();
              RelaxVar c = f.param("c", bool);
              RelaxVar x = f.param("x", VECTOR);
              f.choose(c, () -> effect("print", x), () -> f.emit(pure("g", pure("dead", x))));
              f.choose(c, () -> pure("f", x), () -> x);
              return x;
            }),
        main(
            f -> {
              f.impure();
              RelaxVar c = f.param("c", bool);
              RelaxVar x = f.param("x", VECTOR);
              f.choose(c, () -> effect("print", x), () -> f.emit(pure("g", pure("dead", x))));
              return x;
            }));
    assertBecomes(
        DCE,
        main(
            f -> {
              RelaxVar c = f.param("c", bool);
              RelaxVar x = f.param("x", VECTOR);
              return f.choose(
                  c,
                  () -> {
                    f.emit(pure("dead", x));
                    return x;
                  },
                  () -> x);
            }),
        main(
            f -> {
              RelaxVar c = f.param("c", bool);
              RelaxVar x = f.param("x", VECTOR);
              return f.choose(c, () -> x, () -> x);
            }));
  }

  @Test
  void keepsMatchCastsAlsoInBranchesThatNobodyNeeds() {
    IRModule module =
        main(
            f -> {
              RelaxVar c = f.param("c", TensorType.of(DType.BOOL));
              RelaxVar x = f.param("x", TensorType.ofRank(DType.FLOAT32, 1));
              f.matchCast(x, TensorType.of(DType.FLOAT32, Var.index("n")));
              f.choose(c, () -> f.matchCast(x, VECTOR), () -> x);
              return x;
            });
    assertBecomes(DCE, module, module);
  }

  @Test
  void removesLocalFunctionsThatOnlyCallThemselves() {
    IRModule module =
        program(
            b ->
                b.function(
                    "main",
                    f -> {
                      RelaxVar x = f.param("x", VECTOR);
                      RelaxVar self =
                          new RelaxVar("self", FuncType.of(List.of(VECTOR), VECTOR, true));
                      RelaxVar p = new RelaxVar("p", VECTOR);
                      b.emitNormalized(
                          new VarBinding(
                              self, local(b, List.of(p), body -> body.value = Call.of(self, p))));
                      return x;
                    }));
    assertBecomes(DCE, module, main(f -> f.param("x", VECTOR)));
  }

  @Test
  void anEffectOfALocalFunctionCountsWhereItIsCalled() {
    IRModule module =
        program(
            b ->
                b.function(
                    "main",
                    f -> {
                      f.impure();
                      RelaxVar x = f.param("x", VECTOR);
                      RelaxVar p = new RelaxVar("p", VECTOR);
                      RelaxVar called =
                          f.emit(
                              "called",
                              local(
                                  b,
                                  List.of(p),
                                  body -> {
                                    body.isPure = false;
                                    b.emit(effect("print", p));
                                    body.value = p;
                                  }));
                      RelaxVar q = new RelaxVar("q", VECTOR);
                      f.emit(
                          "unused",
                          local(
                              b,
                              List.of(q),
                              body -> {
                                body.isPure = false;
                                body.value = effect("print", q);
                              }));
                      f.emit("result", Call.of(called, x));
                      return x;
                    }));
    RelaxFunction before = module.requireFunction(new GlobalVar("main"));
    RelaxFunction after = RemoveUnused.in(before, Purity.in(module));
    assertThat(after.body().bindings().map(binding -> binding.var().name()))
        .containsExactly("called", "result");
    assertThat(after.body().blocks().getFirst().bindings().getFirst())
        .isEqualTo(before.body().blocks().getFirst().bindings().getFirst());
  }

  @Test
  void removesFunctionsThatNothingReaches() {
    IRModule module =
        program(
            b -> {
              GlobalVar used = b.addFunction(addOne("used", List.of(IntImm.of(4))), "used");
              b.addFunction(addOne("unused", List.of(IntImm.of(5))), "unused");
              b.function(
                  "helper",
                  f -> {
                    f.internal();
                    RelaxVar x = f.param("x", VECTOR);
                    return CallOps.callTir(used, List.of(x), VECTOR);
                  });
              b.function(
                  "main",
                  f -> {
                    RelaxVar x = f.param("x", VECTOR);
                    // Reached only through a binding that is removed.
                    f.emit(Call.of(new GlobalVar("helper"), x));
                    return x;
                  });
            });
    assertThat(names(run(DCE, module))).containsExactly("main");
    assertThat(names(run(new DeadCodeElimination(List.of("helper")), module)))
        .containsExactly("used", "helper", "main");
    assertThatThrownBy(() -> run(new DeadCodeElimination(List.of("other")), module))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the module has no function other; it has used, unused, helper, main");
  }

  @Test
  void removesNoFunctionsWhereACalleeIsMissing() {
    IRModule module =
        program(
            b -> {
              b.addFunction(addOne("unused", List.of(IntImm.of(5))), "unused");
              b.declare(new GlobalVar("missing"), FuncType.of(List.of(VECTOR), VECTOR, true));
              b.function("main", f -> Call.of(new GlobalVar("missing"), f.param("x", VECTOR)));
              b.remove(new GlobalVar("missing"));
            });
    assertThat(names(run(DCE, module))).containsExactly("unused", "main");
  }

  @Test
  void aFunctionThatNeedsAllIsLeftAsItIs() {
    IRModule module = main(f -> pure("f", f.param("x", VECTOR)));
    RelaxFunction main = module.requireFunction(new GlobalVar("main"));
    assertThat(RemoveUnused.in(main, Purity.in(module))).isSameAs(main);
  }

  private static List<String> names(IRModule module) {
    return module.functions().keySet().stream().map(GlobalVar::name).toList();
  }

  @Test
  void chainsMayBeLongerThanTheStack() throws InterruptedException {
    int length = 20_000;
    IRModule module =
        main(
            f -> {
              RelaxVar value = f.param("x", VECTOR);
              for (int i = 0; i < length; i++) {
                value = f.emit(pure("f", value));
              }
              f.emit(pure("unused", value));
              return value;
            });
    RelaxFunction function = (RelaxFunction) module.require(new GlobalVar("main"));
    List<RelaxFunction> result = new ArrayList<>();
    Thread thread =
        new Thread(
            null,
            () -> result.add(RemoveUnused.in(function, new Purity(module::find))),
            "small stack",
            256 << 10);
    thread.start();
    thread.join();
    assertThat(result).hasSize(1);
    assertThat(result.getFirst().body().bindings().count()).isEqualTo(length);
  }
}
