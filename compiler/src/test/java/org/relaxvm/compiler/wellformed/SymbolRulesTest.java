package org.relaxvm.compiler.wellformed;

import static org.relaxvm.compiler.wellformed.Programs.accepted;
import static org.relaxvm.compiler.wellformed.Programs.bind;
import static org.relaxvm.compiler.wellformed.Programs.block;
import static org.relaxvm.compiler.wellformed.Programs.function;
import static org.relaxvm.compiler.wellformed.Programs.module;
import static org.relaxvm.compiler.wellformed.Programs.refused;
import static org.relaxvm.compiler.wellformed.Programs.seq;
import static org.relaxvm.compiler.wellformed.Programs.var;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.MatchCast;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.Var;

class SymbolRulesTest {
  private static final String NOT_KNOWN =
      " is not known here; expected it alone as an extent of a parameter or of a match_cast in"
          + " front\n  at function main, ";

  private final Var n = Var.index("n");
  private final Var m = Var.index("m");
  private final RelaxVar x = tensor("x", n);
  private final RelaxVar any = new RelaxVar("any", TensorType.ofRank(DType.FLOAT32, 1));

  private static RelaxVar tensor(String name, Object... dims) {
    return new RelaxVar(name, TensorType.of(DType.FLOAT32, dims));
  }

  private static MatchCast cast(RelaxVar var, Expr value) {
    return new MatchCast(var, value, var.type());
  }

  @Test
  void refusesASymbolicVariableOfTwoFunctions() {
    RelaxVar other = tensor("other", n);
    refused(
        module(function(List.of(x), x)).with(new GlobalVar("g"), function(List.of(other), other)),
        """
        the symbolic variable n belongs to function main; expected function g to have variables of \
        its own
          at function g, parameter other\
        """);
  }

  @Test
  void refusesSymbolicVariablesThatNothingSays() {
    refused(
        function(List.of(any, tensor("y", Exprs.add(m, 1))), any),
        "the symbolic variable m in R.Tensor((m + 1,), dtype=\"float32\")"
            + NOT_KNOWN
            + "parameter y");
    RelaxVar shape = new RelaxVar("s", ShapeType.of(List.of(m)));
    refused(
        function(List.of(x), shape, block(bind(shape, ShapeExpr.of(m)))),
        "the symbolic variable m in R.shape([m])" + NOT_KNOWN + "s = R.shape([m])");
    RelaxVar number = new RelaxVar("p", new PrimType(DType.INT64));
    refused(
        function(List.of(tensor("x", 4)), number, block(bind(number, new PrimValue(m)))),
        "the symbolic variable m in R.prim_value(m)" + NOT_KNOWN + "p = R.prim_value(m)");
    RelaxVar made = tensor("made", m);
    Call call = Call.packed("make", List.of(), List.of(made.type())).withType(AnyType.ANY);
    refused(
        function(List.of(tensor("x", 4)), made, block(bind(made, call))),
        "the symbolic variable m in R.Tensor((m,), dtype=\"float32\")"
            + NOT_KNOWN
            + "made = R.call_packed(\"make\")");
    Call typed = Call.packed("make", List.of(), List.of()).withType(made.type());
    refused(
        function(List.of(tensor("x", 4)), made, block(bind(made, typed))),
        "the symbolic variable m in R.Tensor((m,), dtype=\"float32\")"
            + NOT_KNOWN
            + "made = R.call_packed(\"make\")");
    refused(
        function(List.of(any), any, block(cast(tensor("y", Exprs.mul(m, 2)), any))),
        "the symbolic variable m in R.Tensor((m * 2,), dtype=\"float32\")"
            + NOT_KNOWN
            + "y = R.match_cast(any, R.Tensor((m * 2,), dtype=\"float32\"))");
  }

  @Test
  void refusesAResultWithASymbolicVariableOfTheBody() {
    RelaxVar y = tensor("y", m);
    refused(
        function(List.of(any), y, block(cast(y, any))),
        "the symbolic variable m in R.Tensor((m,), dtype=\"float32\")"
            + NOT_KNOWN
            + "result type R.Tensor((m,), dtype=\"float32\")");
  }

  @Test
  void refusesASymbolicVariableOfABranchOutsideOfIt() {
    RelaxVar c = new RelaxVar("c", Programs.BOOL);
    RelaxVar y = tensor("y", m);
    RelaxVar r = new RelaxVar("r", any.type());
    If choice = new If(c, seq(y, block(cast(y, any))), seq(any), Optional.of(any.type()));
    refused(
        function(
            List.of(any, c),
            any,
            block(bind(r, choice), bind(new RelaxVar("s", ShapeType.ofRank(1)), ShapeExpr.of(m)))),
        "the symbolic variable m in R.shape([m])" + NOT_KNOWN + "s = R.shape([m])");
  }

  @Test
  void acceptsParametersInAnyOrderAndMatchCastsThatDefineAndUse() {
    RelaxVar wide = tensor("wide", Exprs.add(n, 1));
    RelaxVar pair = tensor("pair", m, Exprs.mul(m, n));
    RelaxVar matrix = new RelaxVar("matrix", TensorType.ofRank(DType.FLOAT32, 2));
    accepted(
        new RelaxFunction(
            List.of(wide, x, matrix),
            seq(pair, block(cast(pair, matrix))),
            matrix.type(),
            true,
            Attrs.NONE));
  }

  @Test
  void acceptsThatALocalFunctionUsesAndDefinesSymbolicVariables() {
    RelaxVar a = tensor("a", n, m);
    RelaxFunction local = function(List.of(a), a);
    RelaxVar f = new RelaxVar("f", local.functionType());
    accepted(function(List.of(x), x, block(bind(f, local))));
  }

  @Test
  void acceptsThatEachBranchSaysTheSameSymbolicVariable() {
    RelaxVar c = new RelaxVar("c", Programs.BOOL);
    RelaxVar y = tensor("y", m);
    RelaxVar z = tensor("z", m);
    RelaxVar r = new RelaxVar("r", any.type());
    If choice =
        new If(
            c, seq(y, block(cast(y, any))), seq(z, block(cast(z, any))), Optional.of(any.type()));
    accepted(function(List.of(any, c), r, block(bind(r, choice))));
  }
}
