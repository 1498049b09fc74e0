package org.relaxvm.compiler.wellformed;

import static org.relaxvm.compiler.wellformed.Programs.accepted;
import static org.relaxvm.compiler.wellformed.Programs.bind;
import static org.relaxvm.compiler.wellformed.Programs.block;
import static org.relaxvm.compiler.wellformed.Programs.function;
import static org.relaxvm.compiler.wellformed.Programs.module;
import static org.relaxvm.compiler.wellformed.Programs.neg;
import static org.relaxvm.compiler.wellformed.Programs.refused;
import static org.relaxvm.compiler.wellformed.Programs.seq;
import static org.relaxvm.compiler.wellformed.Programs.var;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

class TypeRulesTest {
  private static final TensorType FIVE = TensorType.of(DType.FLOAT32, 5);

  private final RelaxVar x = var("x");
  private final RelaxVar y = var("y");
  private final GlobalVar kernelName = new GlobalVar("copy");

  private IRModule withKernel(RelaxFunction main) {
    KernelBuilder k = new KernelBuilder("copy");
    TensorExpr a = k.input("A", DType.FLOAT32, List.of(IntImm.of(4)));
    PrimFunc kernel = k.build(k.compute("B", a.shape(), a::at));
    return module(main).with(kernelName, new KernelFunction(kernel));
  }

  @Test
  void refusesAFunctionThatTheModuleDoesNotHave() {
    refused(
        function(
            List.of(x), y, block(bind(y, Call.of(new GlobalVar("f"), x).withType(Programs.FOUR)))),
        """
        the module has no function f; it has main
          at function main, y = cls.f(x)\
        """);
  }

  @Test
  void refusesAPublicNameThatIsNotTheName() {
    refused(
        function(List.of(x), x).withAttrs(Attrs.of(RelaxFunction.GLOBAL_SYMBOL, "start")),
        """
        the function main is public as start; expected the attribute global_symbol to be main
          at function main\
        """);
    accepted(function(List.of(x), x).withAttrs(Programs.PUBLIC));
  }

  @Test
  void refusesAKernelWhosePublicNameIsNotItsName() {
    KernelBuilder k = new KernelBuilder("copy");
    TensorExpr a = k.input("A", DType.FLOAT32, List.of(IntImm.of(4)));
    PrimFunc kernel =
        k.build(k.compute("B", a.shape(), a::at)).withAttrs(Map.of("global_symbol", "other"));
    refused(
        IRModule.EMPTY.with(kernelName, new KernelFunction(kernel)),
        """
        the function copy is public as other; expected the attribute global_symbol to be copy
          at function copy\
        """);
  }

  @Test
  void refusesACallThatIsNotInTheFormThatPassesExpect() {
    RelaxVar args = new RelaxVar("args", TupleType.of(Programs.FOUR));
    Call call =
        Call.of(CallOps.CALL_TIR, List.of(kernelName, args), Attrs.NONE, List.of(Programs.FOUR))
            .withType(Programs.FOUR);
    refused(
        withKernel(function(List.of(x), y, block(bind(args, Tuple.of(x)), bind(y, call)))),
        """
        the call R.call_tir(cls.copy, args) is not in the form that passes expect; expected \
        R.call_tir(cls.copy, (x,)), which normalizing gives
          at function main, y = R.call_tir(cls.copy, args)\
        """);
  }

  @Test
  void refusesACallThatItsOperatorRefuses() {
    RelaxVar wide = new RelaxVar("wide", FIVE);
    Call call = CallOps.callTir(kernelName, List.of(wide), Programs.FOUR).withType(Programs.FOUR);
    refused(
        withKernel(function(List.of(wide), y, block(bind(y, call)))),
        """
        argument 0 of copy: expected R.Tensor((4,), dtype="float32"), but got \
        R.Tensor((5,), dtype="float32")
          at function main, y = R.call_tir(cls.copy, (wide,))\
        """);
    refused(
        function(List.of(x), y, block(bind(y, Call.of(Programs.NEG).withType(Programs.FOUR)))),
        """
        negative takes 1 argument (x), but got 0
          at function main, y = R.negative()\
        """);
  }

  @Test
  void acceptsACallOfAKernel() {
    Call call = CallOps.callTir(kernelName, List.of(x), Programs.FOUR).withType(Programs.FOUR);
    accepted(withKernel(function(List.of(x), y, block(bind(y, call)))));
  }

  @Test
  void refusesACallThatIsSaidToGiveWhatItCannot() {
    RelaxVar wide = new RelaxVar("wide", FIVE);
    refused(
        function(List.of(x), wide, block(bind(wide, Call.of(Programs.NEG, x).withType(FIVE)))),
        """
        R.negative(x) is said to be R.Tensor((5,), dtype="float32"), but is certainly \
        R.Tensor((4,), dtype="float32")
          at function main, wide = R.negative(x)\
        """);
  }

  @Test
  void refusesAVariableOfWhichMoreIsSaidThanIsKnown() {
    RelaxVar any = new RelaxVar("any", TensorType.ofRank(DType.FLOAT32, 1));
    refused(
        function(List.of(any), y, block(bind(y, neg(any)))),
        """
        the variable y is said to be R.Tensor((4,), dtype="float32"), but its value is \
        R.Tensor(dtype="float32", ndim=1); expected what holds of each such value, or a match_cast
          at function main, y = R.negative(any)\
        """);
    RelaxVar less = new RelaxVar("less", TensorType.unknown());
    accepted(function(List.of(x), less, block(bind(less, neg(x)))));
  }

  @Test
  void refusesAMatchCastThatCannotBe() {
    RelaxVar wide = new RelaxVar("wide", FIVE);
    refused(
        function(List.of(x), wide, block(new MatchCast(wide, x, FIVE))),
        """
        match_cast: x can never be R.Tensor((5,), dtype="float32"), for it is \
        R.Tensor((4,), dtype="float32")
          at function main, wide = R.match_cast(x, R.Tensor((5,), dtype="float32"))\
        """);
    refused(
        function(List.of(x), y, block(new MatchCast(y, x, TensorType.unknown()))),
        """
        the variable y of a match_cast is said to be R.Tensor((4,), dtype="float32"); expected \
        R.Tensor
          at function main, y = R.match_cast(x, R.Tensor)\
        """);
  }

  @Test
  void refusesAConditionThatIsNotBoolean() {
    If choice = new If(x, seq(x), seq(x), Optional.of(Programs.FOUR));
    refused(
        function(List.of(x), y, block(bind(y, choice))),
        """
        the condition x must be a boolean or a bool tensor without axes, but is \
        R.Tensor((4,), dtype="float32")
          at function main, y = if x: ... else: ...\
        """);
  }

  @Test
  void refusesAChoiceThatIsSaidToGiveWhatItCannot() {
    RelaxVar c = new RelaxVar("c", Programs.BOOL);
    RelaxVar wide = new RelaxVar("wide", FIVE);
    If choice = new If(c, seq(x), seq(x), Optional.of(FIVE));
    refused(
        function(List.of(x, c), wide, block(bind(wide, choice))),
        """
        if c: ... else: ... is said to be R.Tensor((5,), dtype="float32"), but is certainly \
        R.Tensor((4,), dtype="float32")
          at function main, wide = if c: ... else: ...\
        """);
  }

  @Test
  void refusesAResultThatCannotBe() {
    refused(
        new RelaxFunction(List.of(x), seq(x), FIVE, true, Attrs.NONE),
        """
        the result must be R.Tensor((5,), dtype="float32"), but x is R.Tensor((4,), dtype="float32")
          at function main\
        """);
  }
}
