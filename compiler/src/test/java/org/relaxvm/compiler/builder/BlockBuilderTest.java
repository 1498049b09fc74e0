package org.relaxvm.compiler.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.wellformed.WellFormed;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Blocks, names, normal form and functions: docs/spec/relax-ir.md, section 7. */
class BlockBuilderTest {
  private static final TensorType FOUR = TensorType.of(DType.FLOAT32, 4);
  private static final OpDef ADD =
      OpDef.named("add").args("a", "b").rule(call -> call.tensor(0)).build();
  private static final OpDef NEG =
      OpDef.named("negative").args("x").rule(call -> call.tensor(0)).build();

  private final BlockBuilder builder = new BlockBuilder();
  private final RelaxVar x = new RelaxVar("x", FOUR);
  private final RelaxVar y = new RelaxVar("y", FOUR);

  private static Call neg(Expr a) {
    return Call.of(NEG, a);
  }

  private static Call add(Expr a, Expr b) {
    return Call.of(ADD, a, b);
  }

  private void begin() {
    builder.beginFunction("main", List.of(x, y));
  }

  private RelaxFunction end(Expr body) {
    RelaxFunction function =
        builder.endFunction(List.of(x, y), body, Optional.empty(), true, Attrs.NONE);
    WellFormed.check(IRModule.EMPTY.with(new GlobalVar("main"), function));
    return function;
  }

  private static List<String> bindings(RelaxFunction function) {
    return function.body().bindings().map(Binding::toString).toList();
  }

  private static void refused(ThrowingCallable step, String message) {
    assertThatThrownBy(step).isInstanceOf(InvalidProgramException.class).hasMessage(message);
  }

  @Test
  void bindsPartsThatAreNoLeaves() {
    begin();
    builder.beginBlock(false);
    RelaxVar gv = builder.emit(add(neg(x), y));
    builder.endBlock();
    assertThat(bindings(end(gv))).containsExactly("gv = R.negative(x)", "gv1 = R.add(gv, y)");
  }

  @Test
  void bindsAPartThatIsUsedTwiceOncePerBlock() {
    Call part = neg(x);
    begin();
    builder.beginBlock(true);
    RelaxVar lv = builder.emitOutput(add(part, part));
    builder.endBlock();
    builder.beginBlock(false);
    RelaxVar gv = builder.emit(add(lv, part));
    builder.endBlock();
    assertThat(bindings(end(gv)))
        .containsExactly(
            "lv = R.negative(x)",
            "gv = R.add(lv, lv)",
            "gv1 = R.negative(x)",
            "gv2 = R.add(gv, gv1)");
  }

  @Test
  void bindsPartsOfTuplesItemsConditionsAndResults() {
    begin();
    builder.beginBlock(false);
    RelaxVar pair = builder.emit(Tuple.of(neg(x), y));
    builder.endBlock();
    RelaxFunction function = end(new TupleGetItem(pair, 0));
    assertThat(bindings(function))
        .containsExactly("gv = R.negative(x)", "gv1 = (gv, y)", "gv2 = gv1[0]");
    assertThat(function.body().body()).hasToString("gv2");
  }

  @Test
  void namesVariablesByTheirKindOrAHintAndMakesNamesUnique() {
    begin();
    builder.beginBlock(true);
    RelaxVar lv = builder.emit(neg(x));
    RelaxVar lv1 = builder.emit(neg(lv));
    RelaxVar hinted = builder.emit(neg(lv1), "x");
    RelaxVar out = builder.emitOutput(neg(hinted), "out");
    builder.endBlock();
    assertThat(List.of(lv, lv1, hinted)).allMatch(DataflowVar.class::isInstance);
    assertThat(out).isNotInstanceOf(DataflowVar.class);
    assertThat(List.of(lv, lv1, hinted, out)).hasToString("[lv, lv1, x1, out]");
    end(out);
  }

  @Test
  void joinsBlocksOfOneKindAndDropsEmptyOnes() {
    begin();
    builder.beginBlock(false);
    builder.endBlock();
    for (int i = 0; i < 2; i++) {
      builder.beginBlock(true);
      builder.emitOutput(neg(x));
      builder.endBlock();
    }
    builder.beginBlock(false);
    builder.emit(neg(x));
    builder.endBlock();
    RelaxFunction function = end(neg(y));
    assertThat(function.body().blocks())
        .extracting(BindingBlock::isDataflow)
        .containsExactly(true, false);
    assertThat(function.body().blocks())
        .extracting(block -> block.bindings().size())
        .containsExactly(2, 2);
  }

  @Test
  void putsABlockInsideOfAnotherWhereItWasBegun() {
    begin();
    builder.beginBlock(false);
    builder.emit(neg(x), "a");
    builder.beginBlock(true);
    builder.emitOutput(neg(x), "b");
    builder.endBlock();
    builder.emit(neg(x), "c");
    builder.endBlock();
    RelaxFunction function = end(x);
    assertThat(bindings(function))
        .containsExactly("a = R.negative(x)", "b = R.negative(x)", "c = R.negative(x)");
    assertThat(function.body().blocks())
        .extracting(BindingBlock::isDataflow)
        .containsExactly(false, true, false);
  }

  @Test
  void refusesOrdinaryBindingsInsideOfADataflowBlock() {
    begin();
    builder.beginBlock(true);
    refused(
        () -> builder.beginBlock(false),
        "bindings that may have effects or choices cannot be part of a dataflow block; end it"
            + " first");
  }

  @Test
  void refusesABindingWithoutABlockAndAnOutputOfNone() {
    refused(
        () -> builder.emit(x),
        "a binding is emitted into a block of a function; begin a function and a block first");
    begin();
    refused(
        () -> builder.emit(x),
        "a binding is emitted into a block of a function; begin a function and a block first");
    builder.beginBlock(false);
    refused(
        () -> builder.emitOutput(neg(x)),
        """
        only a dataflow block has outputs; this block is none
          at function main, R.negative(x)\
        """);
    builder.beginSequence();
    refused(
        () -> builder.emit(x),
        "a binding is emitted into a block of a function; begin a function and a block first");
  }

  @Test
  void refusesAResultAfterABlockThatWasNotEnded() {
    begin();
    builder.beginBlock(false);
    builder.emit(neg(x));
    refused(
        () -> builder.endFunction(List.of(x, y), x, Optional.empty(), true, Attrs.NONE),
        "a block was begun and not ended; end it in front of the result");
  }

  @Test
  void replacesAVariableWithoutAValueByNothing() {
    begin();
    builder.beginBlock(false);
    RelaxVar none = builder.emit(Call.packed("f", List.of(), List.of(TupleType.VOID)));
    RelaxVar pair = builder.emit(Tuple.of(none, x));
    RelaxVar same = builder.emit(none);
    builder.endBlock();
    RelaxFunction function =
        builder.endFunction(List.of(x, y), none, Optional.empty(), false, Attrs.NONE);
    assertThat(function.body().bindings().map(Binding::value).toList())
        .contains(Tuple.of(Tuple.EMPTY, x), Tuple.EMPTY);
    assertThat(function.body().body()).isEqualTo(Tuple.EMPTY);
    assertThat(pair.type()).isEqualTo(TupleType.of(TupleType.VOID, FOUR));
    assertThat(TupleType.isVoid(same.type())).isTrue();
  }

  @Test
  void flattensASequenceThatIsAValue() {
    DataflowVar inner = new DataflowVar("inner", FOUR);
    RelaxVar out = new RelaxVar("out", FOUR);
    SeqExpr nested =
        SeqExpr.of(
            List.of(
                new BindingBlock(
                    List.of(new VarBinding(inner, neg(x)), new VarBinding(out, neg(inner))), true)),
            neg(out));
    begin();
    builder.beginBlock(false);
    builder.emit(neg(y), "first");
    RelaxVar last = builder.emit(nested, "last");
    builder.endBlock();
    RelaxFunction function = end(last);
    assertThat(bindings(function))
        .containsExactly(
            "first = R.negative(y)",
            "inner = R.negative(x)",
            "out = R.negative(inner)",
            "last = R.negative(out)");
    assertThat(function.body().blocks())
        .extracting(BindingBlock::isDataflow)
        .containsExactly(false, true, false);
  }

  @Test
  void dropsShapesThatTheBranchesOfAChoiceDoNotShare() {
    Var n = Var.index("n");
    RelaxVar c = new RelaxVar("c", TensorType.of(DType.BOOL));
    RelaxVar any = new RelaxVar("any", TensorType.ofRank(DType.FLOAT32, 1));
    builder.beginFunction("main", List.of(x, y, c, any));
    builder.beginBlock(false);
    builder.beginSequence();
    builder.beginBlock(false);
    RelaxVar cast = builder.emitMatchCast(any, TensorType.of(DType.FLOAT32, n));
    builder.endBlock();
    SeqExpr whenTrue = builder.endSequence(cast);
    builder.beginSequence();
    SeqExpr whenFalse = builder.endSequence(neg(x));
    RelaxVar choice = builder.emit(If.of(c, whenTrue, whenFalse));
    RelaxVar same = builder.emit(If.of(c, SeqExpr.of(List.of(), x), SeqExpr.of(List.of(), y)));
    builder.endBlock();
    assertThat(whenTrue.type()).isEqualTo(TensorType.ofRank(DType.FLOAT32, 1));
    assertThat(whenFalse.type()).isEqualTo(FOUR);
    assertThat(choice.type()).isEqualTo(TensorType.ofRank(DType.FLOAT32, 1));
    assertThat(same.type()).isEqualTo(FOUR);
  }

  @Test
  void dropsSymbolicVariablesOfTheBodyFromTheResult() {
    RelaxVar any = new RelaxVar("any", TensorType.ofRank(DType.FLOAT32, 1));
    builder.beginFunction("main", List.of(any));
    builder.beginBlock(false);
    RelaxVar cast = builder.emitMatchCast(any, TensorType.of(DType.FLOAT32, Var.index("n")));
    builder.endBlock();
    RelaxFunction function =
        builder.endFunction(List.of(any), cast, Optional.empty(), true, Attrs.NONE);
    assertThat(function.resultType()).isEqualTo(TensorType.ofRank(DType.FLOAT32, 1));
    assertThat(function.body().type()).isEqualTo(function.resultType());
  }

  @Test
  void dropsADataflowVariableFromTheTypeOfAnOutput() {
    RelaxVar s = new RelaxVar("s", ShapeType.ofRank(1));
    builder.beginFunction("main", List.of(s));
    builder.beginBlock(true);
    RelaxVar lv = builder.emit(s);
    TensorType shaped = TensorType.of(Optional.of(DType.FLOAT32), lv);
    Expr made =
        Call.of(
            CallOps.CALL_PURE_PACKED,
            List.of(new ExternFunc("make"), lv),
            Attrs.NONE,
            List.of(shaped));
    assertThat(builder.emit(made).type()).isEqualTo(shaped);
    assertThat(builder.emitOutput(made).type()).isEqualTo(TensorType.ofRank(DType.FLOAT32, 1));
  }

  @Test
  void keepsWhatIsSaidOfTheResultUnlessTheBodySaysMore() {
    Type less = TensorType.unknown();
    Type more = TensorType.of(DType.FLOAT32, 4);
    assertThat(result(x, less)).isEqualTo(more);
    RelaxVar unknown = new RelaxVar("unknown", less);
    assertThat(result(unknown, more)).isEqualTo(more);
    refused(
        () -> result(x, TensorType.of(DType.FLOAT32, 5)),
        """
        the result must be R.Tensor((5,), dtype="float32"), but x is R.Tensor((4,), dtype="float32")
          at function main\
        """);
  }

  private Type result(RelaxVar param, Type said) {
    builder.beginFunction("main", List.of(param));
    return builder
        .endFunction(List.of(param), param, Optional.of(said), true, Attrs.NONE)
        .resultType();
  }

  @Test
  void refusesAMatchCastThatCannotBe() {
    begin();
    builder.beginBlock(false);
    refused(
        () -> builder.emitMatchCast(x, TensorType.ofRank(DType.INT32, 1)),
        """
        match_cast: x can never be R.Tensor(dtype="int32", ndim=1), for it is \
        R.Tensor((4,), dtype="float32")
          at function main, x\
        """);
    RelaxVar cast = builder.emitMatchCast(x, TensorType.unknown());
    assertThat(cast.type()).isEqualTo(TensorType.unknown());
    assertThat(builder.lookup(cast)).isEmpty();
  }

  @Test
  void refusesAConditionThatIsNotBoolean() {
    begin();
    builder.beginBlock(false);
    SeqExpr branch = SeqExpr.of(List.of(), x);
    refused(
        () -> builder.emit(If.of(x, branch, branch)),
        """
        the condition x must be a boolean or a bool tensor without axes, but is \
        R.Tensor((4,), dtype="float32")
          at function main, if x: ... else: ...\
        """);
  }

  @Test
  void saysFunctionAndExpressionOfAnErrorOnce() {
    begin();
    builder.beginBlock(false);
    refused(
        () -> builder.emit(add(neg(x), neg(ShapeExpr.of(4)))),
        """
        negative: the argument x must be a tensor, but is R.Shape([4])
          at function main, R.add(R.negative(x), R.negative(R.shape([4])))\
        """);
    refused(
        () -> builder.emit(Call.of(new GlobalVar("f"), x)),
        """
        the module has no function f (so far); add it before it is called
          at function main, cls.f(x)\
        """);
    refused(
        () -> builder.emit(Call.of(x, x)),
        """
        only a function can be called, but x is R.Tensor((4,), dtype="float32")
          at function main, x(x)\
        """);
  }

  @Test
  void expandsTuplesOfArgumentsOfKernels() {
    GlobalVar kernel = new GlobalVar("k");
    RelaxVar args = new RelaxVar("args", TupleType.of(FOUR, FOUR));
    builder.beginFunction("main", List.of(x, y, args));
    builder.beginBlock(false);
    RelaxVar bound = builder.emit(Tuple.of(x, y), "bound");
    RelaxVar again = builder.emit(bound, "again");
    for (RelaxVar tuple : List.of(again, args)) {
      builder.emit(Call.of(CallOps.CALL_TIR, List.of(kernel, tuple), Attrs.NONE, List.of(FOUR)));
    }
    builder.endBlock();
    RelaxFunction function =
        builder.endFunction(List.of(x, y, args), x, Optional.empty(), true, Attrs.NONE);
    assertThat(bindings(function))
        .containsExactly(
            "bound = (x, y)",
            "again = bound",
            "gv = R.call_tir(cls.k, (x, y))",
            "gv1 = args[0]",
            "gv2 = args[1]",
            "gv3 = R.call_tir(cls.k, (gv1, gv2))");
  }

  @Test
  void addsFunctionsThatAreEqualOnce() {
    GlobalVar f = builder.addFunction(constant(1), "f");
    assertThat(f.name()).isEqualTo("f");
    assertThat(builder.addFunction(constant(1), "g")).isEqualTo(f);
    assertThat(builder.addFunction(constant(2), "f").name()).isEqualTo("f1");
    assertThat(builder.addFunction(constant(3), "f").name()).isEqualTo("f2");
    builder.put(new GlobalVar("a"), constant(1));
    assertThat(builder.addFunction(constant(1), "f").name()).isEqualTo("a");
    builder.remove(new GlobalVar("a"));
    builder.put(f, constant(9));
    assertThat(builder.addFunction(constant(1), "f").name()).isEqualTo("f3");
    assertThat(builder.module().functions().keySet())
        .extracting(GlobalVar::name)
        .containsExactly("f", "f1", "f2", "f3");
  }

  private static RelaxFunction constant(float value) {
    Expr body = new Constant(Tensor.of(new float[] {value}, Shape.of(1)));
    Type type = body.type();
    return new RelaxFunction(
        List.of(), new SeqExpr(List.of(), body, Optional.of(type)), type, true, Attrs.NONE);
  }

  @Test
  void addsKernelsThatDifferInNameOnlyOnce() {
    GlobalVar f = builder.addFunction(new KernelFunction(copy("f", 4)), "f");
    assertThat(builder.addFunction(new KernelFunction(copy("other", 4)), "other")).isEqualTo(f);
    GlobalVar g = builder.addFunction(new KernelFunction(copy("f", 5)), "f");
    assertThat(g.name()).isEqualTo("f1");
    assertThat(builder.module().requireKernel(g).kernel().name()).isEqualTo("f1");
  }

  private static PrimFunc copy(String name, long extent) {
    KernelBuilder k = new KernelBuilder(name);
    TensorExpr a = k.input("A", DType.FLOAT32, List.of(IntImm.of(extent)));
    return k.build(k.compute("B", a.shape(), a::at));
  }
}
