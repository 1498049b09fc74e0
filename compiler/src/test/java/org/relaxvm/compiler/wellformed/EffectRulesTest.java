package org.relaxvm.compiler.wellformed;

import static org.relaxvm.compiler.wellformed.Programs.accepted;
import static org.relaxvm.compiler.wellformed.Programs.bind;
import static org.relaxvm.compiler.wellformed.Programs.block;
import static org.relaxvm.compiler.wellformed.Programs.dataflow;
import static org.relaxvm.compiler.wellformed.Programs.function;
import static org.relaxvm.compiler.wellformed.Programs.module;
import static org.relaxvm.compiler.wellformed.Programs.print;
import static org.relaxvm.compiler.wellformed.Programs.refused;
import static org.relaxvm.compiler.wellformed.Programs.seq;
import static org.relaxvm.compiler.wellformed.Programs.var;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.type.TupleType;

class EffectRulesTest {
  private final RelaxVar x = var("x");
  private final RelaxVar y = var("y");
  private final RelaxVar nothing = new RelaxVar("nothing", TupleType.VOID);

  private RelaxFunction impure(RelaxFunction function) {
    return new RelaxFunction(
        function.params(), function.body(), function.resultType(), false, function.attrs());
  }

  @Test
  void refusesAChoiceInADataflowBlock() {
    RelaxVar c = new RelaxVar("c", Programs.BOOL);
    If choice = new If(c, seq(x), seq(x), Optional.of(Programs.FOUR));
    refused(
        function(List.of(x, c), y, dataflow(bind(y, choice))),
        """
        a choice stands in a dataflow block; expected it between dataflow blocks
          at function main, y = if c: ... else: ...\
        """);
    accepted(function(List.of(x, c), y, block(bind(y, choice))));
  }

  @Test
  void refusesAnEffectInADataflowBlock() {
    Call packed = Call.packed("f", List.of(x), List.of(Programs.FOUR)).withType(Programs.FOUR);
    refused(
        impure(function(List.of(x), y, dataflow(bind(y, packed)))),
        """
        the call R.call_packed("f", x) has an effect, and stands in a dataflow block; expected it \
        between dataflow blocks, or call_pure_packed where there is none
          at function main, y = R.call_packed("f", x)\
        """);
    Call pure = CallOps.callPurePacked("f", List.of(x), Programs.FOUR).withType(Programs.FOUR);
    accepted(function(List.of(x), y, dataflow(bind(y, pure))));
  }

  @Test
  void refusesAnEffectInAPureFunctionUnlessItIsForced() {
    RelaxFunction printing = function(List.of(x), x, block(bind(nothing, print(x))));
    refused(
        printing,
        """
        the function main is pure, but the call R.print(R.str("{}"), x) has an effect; expected a \
        function that is not pure, or one with the attribute relax.force_pure
          at function main, nothing = R.print(R.str("{}"), x)\
        """);
    accepted(impure(printing));
    accepted(printing.withAttrs(Attrs.of(RelaxFunction.FORCE_PURE, 1)));
  }

  @Test
  void refusesForcedPurityOfAFunctionThatIsNotPure() {
    refused(
        impure(function(List.of(x), x)).withAttrs(Attrs.of(RelaxFunction.FORCE_PURE, true)),
        """
        the function main has the attribute relax.force_pure, but is not pure; expected a pure one
          at function main\
        """);
  }

  @Test
  void looksForEffectsInBranches() {
    RelaxVar c = new RelaxVar("c", Programs.BOOL);
    If choice =
        new If(c, seq(x, block(bind(nothing, print(x)))), seq(x), Optional.of(Programs.FOUR));
    refused(
        function(List.of(x, c), y, block(bind(y, choice))),
        """
        the function main is pure, but the call R.print(R.str("{}"), x) has an effect; expected a \
        function that is not pure, or one with the attribute relax.force_pure
          at function main, nothing = R.print(R.str("{}"), x)
          at function main, y = if c: ... else: ...\
        """);
  }

  @Test
  void countsTheEffectOfALocalFunctionWhereItIsCalled() {
    RelaxVar a = var("a");
    RelaxFunction printing = function(List.of(a), a, block(bind(nothing, print(a))));
    RelaxFunction local = impure(printing);
    RelaxVar f = new RelaxVar("f", local.functionType());
    accepted(function(List.of(x), x, block(bind(f, local))));
    refused(
        function(
            List.of(x), y, block(bind(f, local), bind(y, Call.of(f, x).withType(Programs.FOUR)))),
        """
        the function main is pure, but the call f(x) has an effect; expected a function that is not \
        pure, or one with the attribute relax.force_pure
          at function main, y = f(x)\
        """);
    RelaxVar g = new RelaxVar("g", printing.functionType());
    refused(
        impure(function(List.of(x), x, block(bind(g, printing)))),
        """
        the function g is pure, but the call R.print(R.str("{}"), a) has an effect; expected a \
        function that is not pure, or one with the attribute relax.force_pure
          at function main, nothing = R.print(R.str("{}"), a)
          at function main, g = function(a)\
        """);
  }

  @Test
  void acceptsAPureFunctionThatCallsItself() {
    Call again = Call.of(new GlobalVar("main"), x).withType(Programs.FOUR);
    accepted(module(function(List.of(x), y, block(bind(y, again)))));
  }
}
