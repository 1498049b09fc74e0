package org.relaxvm.compiler.op.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.core.Rules.FOUR;
import static org.relaxvm.compiler.op.core.Rules.call;
import static org.relaxvm.compiler.op.core.Rules.var;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Calls of kernels, packed functions and closures: docs/spec/relax-ir.md, sections 6.2 and 6.3. */
class CallOpsTest {
  private static final TensorType FIVE = TensorType.of(DType.FLOAT32, 5);
  private static final GlobalVar KERNEL = new GlobalVar("copy");

  private final Rules rules = new Rules();
  private final RelaxVar x = var(FOUR);

  /** A kernel that copies as many elements as there are. */
  private void withCopy() {
    KernelBuilder k = new KernelBuilder("copy");
    TensorExpr a = k.input("A", DType.FLOAT32, List.of(k.extent("n")));
    rules.functions.put(KERNEL, new KernelFunction(k.build(k.compute("B", a.shape(), a::at))));
  }

  private static Call inPlace(List<? extends Expr> args, List<Integer> indices, Type... outputs) {
    Type result = outputs.length == 1 ? outputs[0] : TupleType.of(outputs);
    return call(
        CallOps.CALL_TIR_INPLACE,
        List.of(KERNEL, new Tuple(List.copyOf(args))),
        Attrs.of("inplace_indices", indices),
        result);
  }

  private static Call packedInPlace(List<Integer> indices, Type result, Expr... args) {
    List<Expr> all = new ArrayList<>(List.of(args));
    all.addFirst(new ExternFunc("f"));
    return call(CallOps.CALL_INPLACE_PACKED, all, Attrs.of("inplace_indices", indices), result);
  }

  @Test
  void callsOfKernelsGiveWhatTheCallSays() {
    Type pair = TupleType.of(FOUR, FIVE);
    Tuple args = Tuple.of(x);
    rules.gives(call(CallOps.CALL_TIR, List.of(KERNEL, args), FOUR), FOUR);
    rules.gives(call(CallOps.CALL_TIR, List.of(KERNEL, args), pair), pair);
    rules.gives(call(CallOps.CALL_TIR, List.of(KERNEL, args, ShapeExpr.of(3)), FOUR), FOUR);
    rules.gives(
        call(
            CallOps.CALL_TIR_WITH_GRAD,
            List.of(KERNEL, args),
            Attrs.of("te_grad_name", "grad"),
            FOUR),
        FOUR);
    rules.gives(inPlace(List.of(x), List.of(0), FOUR), FOUR);
    rules.gives(CallOps.callDpsPacked("f", List.of(x), FOUR), FOUR);
  }

  @Test
  void callsOfKernelsSayATensorOfKnownShapeAndDTypeOnce() {
    String expected =
        "call_tir: what it gives must be said once as out_ty: a tensor of known shape and dtype,"
            + " or a tuple of such, but is ";
    Tuple args = Tuple.of(x);
    rules.refuses(call(CallOps.CALL_TIR, List.of(KERNEL, args)), expected + "[]");
    rules.refuses(
        call(CallOps.CALL_TIR, List.of(KERNEL, args), TensorType.ofRank(DType.FLOAT32, 1)),
        expected + "[R.Tensor(dtype=\"float32\", ndim=1)]");
    rules.refuses(
        call(CallOps.CALL_TIR, List.of(KERNEL, args), TupleType.of(FOUR, AnyType.ANY)),
        expected + "[R.Tuple(R.Tensor((4,), dtype=\"float32\"), R.Any)]");
    rules.refuses(
        call(CallOps.CALL_TIR, List.of(KERNEL, x), FOUR),
        "call_tir: the argument args must be a tuple, but is R.Tensor((4,), dtype=\"float32\")");
    rules.refuses(
        call(CallOps.CALL_TIR, List.of(KERNEL, args, x), FOUR),
        "call_tir: the argument tir_vars must be a shape, but is R.Tensor((4,),"
            + " dtype=\"float32\")");
    rules.refuses(
        call(CallOps.CALL_TIR_INPLACE, List.of(KERNEL, args), FOUR),
        "call_tir_inplace: the attribute inplace_indices must be given: a list of integers");
    rules.refuses(
        call(CallOps.CALL_TIR, List.of(KERNEL, args), Attrs.of("axis", 1), FOUR),
        "call_tir has no attribute axis; it has none");
    rules.refuses(
        call(CallOps.CALL_TIR, List.of(KERNEL), FOUR),
        "call_tir takes from 2 to 3 arguments (func, args, tir_vars), but got 1");
  }

  @Test
  void theKernelOfACallIsThereAndTakesItsArguments() {
    rules.refusesInPrograms(
        CallOps.callTir(KERNEL, List.of(x), FOUR), "call_tir: the module has no kernel copy");
    rules.functions.put(KERNEL, new ExternFunc("copy"));
    rules.refusesInPrograms(
        CallOps.callTir(KERNEL, List.of(x), FOUR), "call_tir: the function copy is no kernel");
    rules.refusesInPrograms(
        CallOps.callTir(new ExternFunc("f"), List.of(x), FOUR),
        "call_tir: the function must be a kernel of the module, but is R.ExternFunc(\"f\")");
    withCopy();
    rules.accepts(CallOps.callTir(KERNEL, List.of(x), FOUR));
    rules.refusesInPrograms(
        CallOps.callTir(KERNEL, List.of(x, x), FOUR), "copy takes 2 arguments, but got 3");
    rules.refusesInPrograms(
        CallOps.callTir(KERNEL, List.of(var(TensorType.of(DType.INT32, 4))), FOUR),
        "argument 0 of copy: expected R.Tensor((n,), dtype=\"float32\"), but got R.Tensor((4,),"
            + " dtype=\"int32\")");
    rules.refusesInPrograms(
        CallOps.callTir(KERNEL, List.of(x), FIVE),
        "call_tir: copy writes R.Tensor((4,), dtype=\"float32\"), which cannot be the output"
            + " R.Tensor((5,), dtype=\"float32\")");
  }

  @Test
  void sizesStandAfterTheOutputsOrAmongTheInputs() {
    KernelBuilder k = new KernelBuilder("copy");
    TensorExpr a = k.input("A", DType.FLOAT32, List.of(k.extent("n")));
    Var size = k.scalar("size", DType.INT64);
    TensorExpr b = k.compute("B", a.shape(), i -> a.at(List.of(Exprs.min(i.getFirst(), size))));
    PrimFunc inline = k.build(b);
    rules.functions.put(KERNEL, new KernelFunction(inline));
    rules.accepts(CallOps.callTir(KERNEL, List.of(x, PrimValue.of(3)), FOUR));
    List<Param> params = inline.params();
    PrimFunc trailing =
        new PrimFunc(
            "copy",
            List.of(params.get(0), params.get(2), params.get(1)),
            inline.returnType(),
            inline.body(),
            inline.attrs());
    rules.functions.put(KERNEL, new KernelFunction(trailing));
    rules.accepts(call(CallOps.CALL_TIR, List.of(KERNEL, Tuple.of(x), ShapeExpr.of(3)), FOUR));
    rules.refusesInPrograms(
        call(CallOps.CALL_TIR, List.of(KERNEL, Tuple.of(x), ShapeExpr.of(3, 4)), FOUR),
        "copy takes 3 arguments, but got 4");
  }

  @Test
  void indicesOfOutputsInPlaceAreThoseOfInputs() {
    String twoArguments = "; expected one from 0, or -1 for an output with memory of its own";
    rules.refusesInPrograms(
        inPlace(List.of(x), List.of(0, 0), FOUR),
        "call_tir_inplace: inplace_indices must have an index for each of 1 output, but has 2");
    rules.refusesInPrograms(
        inPlace(List.of(x, x), List.of(2), FOUR),
        "call_tir_inplace: the index 2 in inplace_indices is none of 2 arguments" + twoArguments);
    rules.refusesInPrograms(
        inPlace(List.of(x, x), List.of(-2), FOUR),
        "call_tir_inplace: the index -2 in inplace_indices is none of 2 arguments" + twoArguments);
    rules.refusesInPrograms(
        inPlace(List.of(x, x), List.of(1, 1), FOUR, FOUR),
        "call_tir_inplace: the index 1 is in inplace_indices twice");
    rules.refusesInPrograms(
        inPlace(List.of(x, x), List.of(-1, -1), FOUR, FOUR),
        "call_tir_inplace: inplace_indices has only -1, so that no output lies where an input does;"
            + " expected an index, or a call that is not in place");
  }

  @Test
  void anOutputInPlaceIsOfTheShapeAndDTypeOfItsInput() {
    String same = "; expected the same shape and dtype";
    rules.refusesInPrograms(
        inPlace(List.of(x), List.of(0), FIVE),
        "call_tir_inplace: the output R.Tensor((5,), dtype=\"float32\") cannot lie where argument 0"
            + " does, which is R.Tensor((4,), dtype=\"float32\")"
            + same);
    rules.refusesInPrograms(
        inPlace(List.of(x), List.of(0), TensorType.of(DType.INT32, 4)),
        "call_tir_inplace: the output R.Tensor((4,), dtype=\"int32\") cannot lie where argument 0"
            + " does, which is R.Tensor((4,), dtype=\"float32\")"
            + same);
  }

  @Test
  void aKernelWithAnOutputInPlaceTakesNoBufferForIt() {
    withCopy();
    rules.accepts(inPlace(List.of(x, x), List.of(1), FOUR));
    rules.refusesInPrograms(
        inPlace(List.of(x), List.of(0), FOUR), "copy takes 2 arguments, but got 1");
  }

  @Test
  void callsOfPackedFunctionsSayWhatTheyGive() {
    rules.gives(Call.packed("f", List.of(x), List.of()), AnyType.ANY);
    rules.gives(Call.packed("f", List.of(x), List.of(FOUR)), FOUR);
    rules.gives(Call.packed("f", List.of(x), List.of(FOUR, FIVE)), TupleType.of(FOUR, FIVE));
    rules.gives(Call.packed("f", List.of(x), List.of(TupleType.VOID)), TupleType.VOID);
    rules.gives(CallOps.callPurePacked("f", List.of(x), FOUR), FOUR);
    rules.gives(packedInPlace(List.of(0), FOUR, x), FOUR);
    rules.gives(call(CallOps.CALL_PURE_PACKED, List.of(var(AnyType.ANY), x), FIVE), FIVE);
    GlobalVar extern = new GlobalVar("extern");
    rules.functions.put(extern, new ExternFunc("extern", FuncType.opaque(FIVE, true)));
    rules.gives(call(CallOps.CALL_PURE_PACKED, List.of(extern, x), FOUR), FIVE);
  }

  @Test
  void onlyFunctionsOfUnknownParametersAreCalledAsPackedOnes() {
    withCopy();
    rules.refuses(
        call(CallOps.CALL_PURE_PACKED, List.of(KERNEL, x), FOUR),
        "call_pure_packed: the function must be a packed one, but cls.copy is"
            + " R.Callable((R.Tensor((n,), dtype=\"float32\"), R.Tensor((n,), dtype=\"float32\")),"
            + " R.Tuple, False)");
  }

  @Test
  void packedFunctionsInPlaceChangeArgumentsOfTheSameShapeAndDType() {
    rules.refuses(
        packedInPlace(List.of(1), FOUR, x),
        "call_inplace_packed: the index 1 in inplace_indices is none of 1 argument; expected one"
            + " from 0, or -1 for an output with memory of its own");
    rules.refuses(
        packedInPlace(List.of(0), FIVE, x),
        "call_inplace_packed: the output R.Tensor((5,), dtype=\"float32\") cannot lie where"
            + " argument 0 does, which is R.Tensor((4,), dtype=\"float32\"); expected the same"
            + " shape and dtype");
    rules.gives(
        packedInPlace(List.of(-1, 0), TupleType.of(FIVE, FOUR), x), TupleType.of(FIVE, FOUR));
  }

  @Test
  void callsWithTheVmGiveNothingUnlessTheySaySo() {
    rules.gives(CallOps.withContext("f", List.of(x)), TupleType.VOID);
    rules.gives(CallOps.withContext("f", List.of(x), FOUR), FOUR);
  }

  @Test
  void closuresAndFunctionsOfTheHostSayWhatTheyGive() {
    RelaxVar closure = var(AnyType.ANY);
    rules.gives(call(CallOps.MAKE_CLOSURE, List.of(KERNEL, Tuple.of(x))), AnyType.ANY);
    for (OpDef op : List.of(CallOps.INVOKE_CLOSURE, CallOps.INVOKE_PURE_CLOSURE)) {
      rules.gives(call(op, List.of(closure, Tuple.of(x))), AnyType.ANY);
      rules.gives(call(op, List.of(closure, Tuple.of(x)), FOUR), FOUR);
      rules.gives(call(op, List.of(closure, Tuple.of(x)), FOUR, FIVE), TupleType.of(FOUR, FIVE));
    }
    rules.gives(call(CallOps.CALL_PY_FUNC, List.of(new StringImm("f"), Tuple.of(x)), FOUR), FOUR);
    rules.gives(call(CallOps.CALL_TIR_DYN, List.of(KERNEL, Tuple.of(x))), TupleType.VOID);
  }

  @Test
  void theseHaveEffects() {
    assertThat(CallOps.all().stream().filter(op -> !op.isPure()).map(OpDef::name))
        .containsExactly("call_builtin_with_ctx", "invoke_closure", "vm.call_tir_dyn");
  }
}
