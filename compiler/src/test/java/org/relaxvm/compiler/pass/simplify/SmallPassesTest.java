package org.relaxvm.compiler.pass.simplify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.compiler.pass.simplify.Programs.VECTOR;
import static org.relaxvm.compiler.pass.simplify.Programs.addOne;
import static org.relaxvm.compiler.pass.simplify.Programs.assertBecomes;
import static org.relaxvm.compiler.pass.simplify.Programs.effect;
import static org.relaxvm.compiler.pass.simplify.Programs.main;
import static org.relaxvm.compiler.pass.simplify.Programs.program;
import static org.relaxvm.compiler.pass.simplify.Programs.pure;
import static org.relaxvm.compiler.pass.simplify.Programs.run;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.PackedArg;

class SmallPassesTest {
  @Test
  void bindingsWithoutEffectsBecomeDataflowBlocks() {
    assertBecomes(
        new ConvertToDataflow(),
        main(
            f -> {
              f.impure();
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar a = f.emit(pure("f", pure("g", x)));
              f.emit(effect("print", a));
              RelaxVar alone = f.emit(pure("h", a));
              RelaxVar c = f.emit(effect("f", alone));
              RelaxVar kept = f.dataflow(() -> pure("k", c));
              return pure("l", pure("m", kept));
            }),
        main(
            f -> {
              f.impure();
              RelaxVar x = f.param("x", VECTOR);
              RelaxVar a = f.dataflow(() -> pure("f", pure("g", x)));
              f.emit(effect("print", a));
              RelaxVar alone = f.emit(pure("h", a));
              RelaxVar c = f.emit(effect("f", alone));
              return f.dataflow(() -> pure("l", pure("m", pure("k", c))));
            }));
  }

  @Test
  void branchesGetDataflowBlocksOfTheirOwn() {
    TensorType bool = TensorType.of(DType.BOOL);
    assertBecomes(
        new ConvertToDataflow(1),
        main(
            f -> {
              RelaxVar c = f.param("c", bool);
              RelaxVar x = f.param("x", VECTOR);
              return f.choose(c, () -> f.emit(pure("f", x)), () -> x);
            }),
        main(
            f -> {
              RelaxVar c = f.param("c", bool);
              RelaxVar x = f.param("x", VECTOR);
              return f.choose(c, () -> f.dataflow(() -> pure("f", x)), () -> x);
            }));
  }

  @Test
  void partsOfExpressionsGetVariablesAndTypes() {
    RelaxVar x = new RelaxVar("x", VECTOR);
    RelaxVar y = new RelaxVar("y", AnyType.ANY);
    RelaxVar z = new RelaxVar("z", AnyType.ANY);
    SeqExpr body =
        SeqExpr.of(
            List.of(
                new BindingBlock(
                    List.of(
                        new VarBinding(y, pure("f", pure("g", x))),
                        new VarBinding(
                            z,
                            SeqExpr.of(
                                List.of(
                                    new BindingBlock(
                                        List.of(
                                            new VarBinding(
                                                new RelaxVar("w", VECTOR), pure("h", y))),
                                        false)),
                                y))),
                    false),
                new BindingBlock(List.of(), true)),
            Tuple.of(z, pure("k", y)));
    RelaxFunction function =
        new RelaxFunction(
            List.of(x), body, AnyType.ANY, true, Attrs.of(RelaxFunction.GLOBAL_SYMBOL, "main"));
    assertBecomes(
        new Normalize(),
        IRModule.EMPTY.with(new GlobalVar("main"), function),
        main(
            f -> {
              RelaxVar p = f.param("x", VECTOR);
              RelaxVar a = f.emit(pure("f", pure("g", p)));
              f.emit(pure("h", a));
              RelaxVar b = f.emit(a);
              return Tuple.of(b, f.emit(pure("k", a)));
            }));
  }

  @Test
  void bindingsWithEffectsCannotBeSplicedIntoADataflowBlock() {
    RelaxVar x = new RelaxVar("x", VECTOR);
    VarBinding effect = new VarBinding(new RelaxVar("w", VECTOR), effect("f", x));
    SeqExpr inner = SeqExpr.of(List.of(new BindingBlock(List.of(effect), false)), x);
    VarBinding outer = new VarBinding(new RelaxVar("y", VECTOR), inner);
    SeqExpr body = SeqExpr.of(List.of(new BindingBlock(List.of(outer), true)), outer.var());
    RelaxFunction function = new RelaxFunction(List.of(x), body, VECTOR, false, Attrs.NONE);
    IRModule module = IRModule.EMPTY.with(new GlobalVar("main"), function);
    assertThatThrownBy(() -> run(new Normalize(), module))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "bindings that may have effects or choices cannot be part of a dataflow block; end it"
                + " first\n  at function main, { ... x }");
  }

  @Test
  void publicFunctionsGetTheNamesOutside() {
    GlobalVar inner = new GlobalVar("inner");
    IRModule module =
        program(
            b -> {
              b.put(inner, addOne("inner", List.of(IntImm.of(4))));
              b.function(
                  "run",
                  f -> {
                    f.attr(RelaxFunction.GLOBAL_SYMBOL, "inner");
                    RelaxVar x = f.param("x", VECTOR);
                    return CallOps.callTir(inner, List.of(x), VECTOR);
                  });
              b.function("main", f -> Call.of(new GlobalVar("run"), f.param("x", VECTOR)));
            });
    assertBecomes(
        new NormalizeGlobalVar(),
        module,
        program(
            b -> {
              b.put(new GlobalVar("inner1"), addOne("inner1", List.of(IntImm.of(4))));
              b.function(
                  "inner",
                  f -> {
                    RelaxVar x = f.param("x", VECTOR);
                    return CallOps.callTir(new GlobalVar("inner1"), List.of(x), VECTOR);
                  });
              b.function("main", f -> Call.of(inner, f.param("x", VECTOR)));
            }));
  }

  @Test
  void kernelsThatCallKernelsFollowTheirNames() {
    Buffer in = Buffer.of("A", DType.FLOAT32, VECTOR.dims().orElseThrow());
    PrimFunc caller =
        PrimFunc.of(
            "caller", List.of(in), new CallPacked("inner", List.of(new PackedArg.OfBuffer(in))));
    IRModule module =
        program(
            b -> {
              b.put(new GlobalVar("inner"), addOne("inner", List.of(IntImm.of(4))));
              b.put(new GlobalVar("caller"), new KernelFunction(caller));
              b.function(
                  "main",
                  f -> {
                    f.attr(RelaxFunction.GLOBAL_SYMBOL, "inner");
                    return f.param("x", VECTOR);
                  });
            });
    IRModule named = run(new NormalizeGlobalVar(), module);
    assertThat(named.requireKernel(new GlobalVar("caller")).kernel().body())
        .isInstanceOfSatisfying(
            CallPacked.class, call -> assertThat(call.name()).isEqualTo("inner1"));
  }

  @Test
  void twoFunctionsOfOneNameOutsideAreAnError() {
    IRModule module =
        program(
            b -> {
              b.function("first", f -> f.param("x", VECTOR));
              b.function(
                  "second",
                  f -> {
                    f.attr(RelaxFunction.GLOBAL_SYMBOL, "first");
                    return f.param("x", VECTOR);
                  });
            });
    assertThatThrownBy(() -> run(new NormalizeGlobalVar(), module))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the functions first and second both have the global_symbol first\n"
                + "  what to do: give each another one, for it is the name that programs call it"
                + " by");
  }
}
