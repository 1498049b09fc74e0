package org.relaxvm.compiler.wellformed;

import static org.relaxvm.compiler.wellformed.Programs.accepted;
import static org.relaxvm.compiler.wellformed.Programs.bind;
import static org.relaxvm.compiler.wellformed.Programs.block;
import static org.relaxvm.compiler.wellformed.Programs.function;
import static org.relaxvm.compiler.wellformed.Programs.neg;
import static org.relaxvm.compiler.wellformed.Programs.refused;
import static org.relaxvm.compiler.wellformed.Programs.seq;
import static org.relaxvm.compiler.wellformed.Programs.var;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.type.TupleType;

class NormalFormRulesTest {
  private final RelaxVar x = var("x");
  private final RelaxVar y = var("y");

  private RelaxFunction binding(Expr value) {
    return function(List.of(x), y, block(bind(y, value)));
  }

  @Test
  void refusesACallWhoseTypeNobodyDerived() {
    refused(
        binding(Call.of(Programs.NEG, x)),
        """
        the type of R.negative(x) is not known; normalize the program first
          at function main, y = R.negative(x)\
        """);
  }

  @Test
  void refusesABodyWhoseTypeNobodyDerived() {
    RelaxFunction untyped =
        new RelaxFunction(List.of(x), SeqExpr.of(List.of(), x), Programs.FOUR, true, Attrs.NONE);
    refused(
        untyped,
        """
        the type of { ... x } is not known; normalize the program first
          at function main\
        """);
  }

  @Test
  void refusesBindingsInTheMiddleOfAnExpression() {
    refused(
        binding(seq(x)),
        """
        bindings stand in the middle of an expression: { ... x }; expected them in the body of a \
        function or in a branch only
          at function main, y = { ... x }\
        """);
    refused(
        binding(neg(seq(x))),
        """
        bindings stand in the middle of an expression: { ... x }; expected them in the body of a \
        function or in a branch only
          at function main, y = R.negative({ ... x })\
        """);
    refused(
        function(List.of(x), seq(x)),
        """
        bindings stand in the middle of an expression: { ... x }; expected them in the body of a \
        function or in a branch only
          at function main, result { ... x }\
        """);
  }

  @Test
  void refusesPartsThatAreNoLeaves() {
    refused(
        binding(neg(neg(x))),
        """
        the argument 0 of R.negative(R.negative(x)) must be a leaf, but is R.negative(x); bind it \
        to a variable
          at function main, y = R.negative(R.negative(x))\
        """);
    refused(
        binding(Tuple.of(x, neg(x))),
        """
        the field 1 of (x, R.negative(x)) must be a leaf, but is R.negative(x); bind it to a \
        variable
          at function main, y = (x, R.negative(x))\
        """);
    Expr pair = new TupleGetItem(Tuple.of(Tuple.of(x, x), x), 0);
    refused(
        binding(new TupleGetItem(pair, 1)),
        """
        the tuple of ((x, x), x)[0][1] must be a leaf, but is ((x, x), x)[0]; bind it to a variable
          at function main, y = ((x, x), x)[0][1]\
        """);
    refused(
        binding(new If(neg(x), seq(x), seq(x), Optional.of(Programs.FOUR))),
        """
        the condition of if R.negative(x): ... else: ... must be a leaf, but is R.negative(x); bind \
        it to a variable
          at function main, y = if R.negative(x): ... else: ...\
        """);
    RelaxFunction local = function(List.of(var("a")), x);
    refused(
        binding(Call.of(local, x).withType(Programs.FOUR)),
        """
        the callee of function(a)(x) must be a leaf, but is function(a); bind it to a variable
          at function main, y = function(a)(x)\
        """);
  }

  @Test
  void refusesAResultThatIsNoLeaf() {
    refused(
        function(List.of(x), neg(x)),
        """
        the result of a body must be a leaf, but is R.negative(x); bind it to a variable
          at function main, result R.negative(x)\
        """);
  }

  @Test
  void findsWhatIsWrongInABranchAndSaysWhatIsAround() {
    RelaxVar c = new RelaxVar("c", Programs.BOOL);
    RelaxVar z = var("z");
    If choice = new If(c, seq(z, block(bind(z, neg(neg(x))))), seq(x), Optional.of(Programs.FOUR));
    refused(
        function(List.of(x, c), y, block(bind(y, choice))),
        """
        the argument 0 of R.negative(R.negative(x)) must be a leaf, but is R.negative(x); bind it \
        to a variable
          at function main, z = R.negative(R.negative(x))
          at function main, y = if c: ... else: ...\
        """);
  }

  @Test
  void acceptsTuplesOfTuplesOfLeaves() {
    RelaxVar pair = new RelaxVar("pair", TupleType.of(TupleType.of(x.type()), x.type()));
    accepted(function(List.of(x), pair, block(bind(pair, Tuple.of(Tuple.of(x), x)))));
  }
}
