package org.relaxvm.compiler.wellformed;

import static org.relaxvm.compiler.wellformed.Programs.accepted;
import static org.relaxvm.compiler.wellformed.Programs.bind;
import static org.relaxvm.compiler.wellformed.Programs.block;
import static org.relaxvm.compiler.wellformed.Programs.dataflow;
import static org.relaxvm.compiler.wellformed.Programs.dataflowVar;
import static org.relaxvm.compiler.wellformed.Programs.function;
import static org.relaxvm.compiler.wellformed.Programs.module;
import static org.relaxvm.compiler.wellformed.Programs.neg;
import static org.relaxvm.compiler.wellformed.Programs.refused;
import static org.relaxvm.compiler.wellformed.Programs.seq;
import static org.relaxvm.compiler.wellformed.Programs.var;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;

class VariableRulesTest {
  private final RelaxVar x = var("x");
  private final RelaxVar y = var("y");
  private final RelaxVar z = var("z");
  private final RelaxVar c = new RelaxVar("c", Programs.BOOL);

  @Test
  void refusesAParameterOfTwoFunctions() {
    refused(
        module(function(List.of(x), x)).with(new GlobalVar("other"), function(List.of(x), x)),
        """
        the variable x is bound twice, first in function main; expected a variable of its own for \
        each parameter and binding
          at function other, parameter x\
        """);
  }

  @Test
  void refusesAVariableOfAnotherFunction() {
    refused(
        module(function(List.of(x), x)).with(new GlobalVar("other"), function(List.of(y), x)),
        """
        the variable x belongs to function main; expected function other to have variables of its \
        own
          at function other, result x\
        """);
  }

  @Test
  void refusesAUseInFrontOfTheBinding() {
    refused(
        function(List.of(x), z, block(bind(z, neg(y)), bind(y, neg(x)))),
        """
        the variable y is not bound here; expected a parameter or a binding in front of its use
          at function main, z = R.negative(y)\
        """);
  }

  @Test
  void refusesAVariableInItsOwnValueUnlessThatIsAFunction() {
    refused(
        function(List.of(x), y, block(bind(y, neg(y)))),
        """
        the variable y is not bound here; expected a parameter or a binding in front of its use
          at function main, y = R.negative(y)\
        """);
    FuncType type = FuncType.of(List.of(Programs.FOUR), Programs.FOUR, true);
    RelaxVar loop = new RelaxVar("loop", type);
    RelaxVar a = var("a");
    RelaxVar b = var("b");
    RelaxFunction local =
        function(List.of(a), b, block(bind(b, Call.of(loop, a).withType(Programs.FOUR))));
    accepted(
        function(
            List.of(x),
            y,
            block(bind(loop, local), bind(y, Call.of(loop, x).withType(Programs.FOUR)))));
  }

  @Test
  void refusesAShapeInATypeThatIsNotBound() {
    RelaxVar s = new RelaxVar("s", ShapeType.ofRank(1));
    RelaxVar shaped = new RelaxVar("t", TensorType.of(Optional.of(DType.FLOAT32), s));
    refused(
        function(List.of(shaped), shaped),
        """
        the variable s is not bound here; expected a parameter or a binding in front of its use
          at function main, parameter t\
        """);
    accepted(function(List.of(shaped, s), shaped));
  }

  @Test
  void refusesASecondBinding() {
    refused(
        function(List.of(x), y, block(bind(y, neg(x)), bind(y, neg(x)))),
        """
        the variable y is bound twice, first in function main; expected a variable of its own for \
        each parameter and binding
          at function main, y = R.negative(x)\
        """);
    refused(
        function(List.of(x), x, block(bind(x, neg(x)))),
        """
        the variable x is bound twice, first in function main; expected a variable of its own for \
        each parameter and binding
          at function main, x = R.negative(x)\
        """);
  }

  @Test
  void refusesADataflowVariableOutsideOfADataflowBlock() {
    DataflowVar lv = dataflowVar("lv");
    refused(
        function(List.of(x), x, block(bind(lv, neg(x)))),
        """
        the dataflow variable lv is bound outside of a dataflow block; expected a variable of the \
        other kind
          at function main, lv = R.negative(x)\
        """);
    refused(
        function(List.of(lv), lv),
        """
        the dataflow variable lv is bound outside of a dataflow block; expected a variable of the \
        other kind
          at function main, parameter lv\
        """);
  }

  @Test
  void refusesADataflowVariableInTheBodyOfALocalFunctionOfADataflowBlock() {
    DataflowVar lv = dataflowVar("lv");
    RelaxVar a = var("a");
    RelaxFunction local = function(List.of(a), a, block(bind(lv, neg(a))));
    RelaxVar f = new RelaxVar("f", local.functionType());
    refused(
        function(List.of(x), x, dataflow(bind(f, local))),
        """
        the dataflow variable lv is bound outside of a dataflow block; expected a variable of the \
        other kind
          at function main, lv = R.negative(a)
          at function main, f = function(a)\
        """);
  }

  @Test
  void refusesADataflowVariableAfterItsBlock() {
    DataflowVar lv = dataflowVar("lv");
    refused(
        function(List.of(x), y, dataflow(bind(lv, neg(x))), block(bind(y, neg(lv)))),
        """
        the dataflow variable lv is used outside of the block that binds it; expected an output of \
        the block
          at function main, y = R.negative(lv)\
        """);
    DataflowVar other = dataflowVar("other");
    refused(
        function(List.of(x), other, dataflow(bind(other, neg(x)))),
        """
        the dataflow variable other is used outside of the block that binds it; expected an output \
        of the block
          at function main, result other\
        """);
  }

  @Test
  void refusesADataflowVariableInTheTypeOfAnOutput() {
    DataflowVar s = new DataflowVar("s", ShapeType.ofRank(1));
    RelaxVar out = new RelaxVar("out", TensorType.of(Optional.of(DType.FLOAT32), s));
    Expr shape = Call.packed("shape", List.of(x), List.of(s.type())).withType(s.type());
    Expr tensor = Call.packed("make", List.of(s), List.of(out.type())).withType(out.type());
    refused(
        function(List.of(x), x, dataflow(bind(s, shape), bind(out, tensor))),
        """
        the dataflow variable s is in the type R.Tensor(s, dtype="float32") of an output of its \
        block; expected a type that is known outside
          at function main, out = R.call_packed("make", s)\
        """);
  }

  @Test
  void refusesAVariableOfABranchOutsideOfIt() {
    If choice = new If(c, seq(z, block(bind(z, neg(x)))), seq(x), Optional.of(Programs.FOUR));
    refused(
        function(List.of(x, c), z, block(bind(y, choice))),
        """
        the variable z is bound in a branch or a local function, and used outside; expected it to \
        be a part of the result of that
          at function main, result z\
        """);
    RelaxVar other = var("other");
    If crossing =
        new If(c, seq(other, block(bind(other, neg(x)))), seq(other), Optional.of(Programs.FOUR));
    refused(
        function(List.of(x, c), x, block(bind(y, crossing))),
        """
        the variable other is bound in a branch or a local function, and used outside; expected it \
        to be a part of the result of that
          at function main, result other
          at function main, y = if c: ... else: ...\
        """);
  }

  @Test
  void acceptsOutputsOfBlocksAndVariablesFromAroundABranch() {
    DataflowVar lv = dataflowVar("lv");
    RelaxVar gv = var("gv");
    If choice = new If(c, seq(z, block(bind(z, neg(gv)))), seq(gv), Optional.of(Programs.FOUR));
    accepted(
        function(
            List.of(x, c),
            y,
            dataflow(bind(lv, neg(x)), bind(gv, neg(lv))),
            block(bind(y, choice))));
  }
}
