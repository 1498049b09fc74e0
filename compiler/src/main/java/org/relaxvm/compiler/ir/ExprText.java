package org.relaxvm.compiler.ir;

import java.util.List;
import java.util.stream.Collectors;
import org.relaxvm.compiler.type.PrimText;

/** Expressions in one line, for messages. Bodies of functions and branches are left out. */
final class ExprText {
  private ExprText() {}

  static String print(Expr expr) {
    return switch (expr) {
      case RelaxVar var -> var.name();
      case GlobalVar global -> global.toString();
      case Constant constant -> "R.const(" + constant.tensorType() + ")";
      case ShapeExpr(var values) ->
          values.stream().map(PrimText::print).collect(Collectors.joining(", ", "R.shape([", "])"));
      case StringImm(String value) -> "R.str(\"" + value + "\")";
      case DataTypeImm(var value) -> "R.dtype(\"" + value + "\")";
      case PrimValue(var value) -> "R.prim_value(" + PrimText.print(value) + ")";
      case Tuple(List<Expr> fields) -> "(" + list(fields) + (fields.size() == 1 ? ",)" : ")");
      case TupleGetItem(Expr tuple, int index) -> print(tuple) + "[" + index + "]";
      case Call call -> print(call);
      case SeqExpr seq -> "{ ... " + print(seq.body()) + " }";
      case If choice -> "if " + print(choice.condition()) + ": ... else: ...";
      case RelaxFunction function -> "function(" + list(function.params()) + ")";
      case ExternFunc extern -> "R.ExternFunc(\"" + extern.symbol() + "\")";
      case Op op -> "R." + op.name();
    };
  }

  private static String print(Call call) {
    StringBuilder out = new StringBuilder();
    out.append(
        call.callee() instanceof ExternFunc extern
            ? "R.call_packed(\"" + extern.symbol() + "\"" + (call.args().isEmpty() ? "" : ", ")
            : print(call.callee()) + "(");
    out.append(list(call.args()));
    call.attrs()
        .values()
        .forEach((name, value) -> out.append(", ").append(name).append('=').append(value));
    return out.append(')').toString();
  }

  private static String list(List<? extends Expr> exprs) {
    return exprs.stream().map(ExprText::print).collect(Collectors.joining(", "));
  }
}
