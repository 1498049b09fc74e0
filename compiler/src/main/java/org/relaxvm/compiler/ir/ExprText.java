package org.relaxvm.compiler.ir;

import java.util.List;
import java.util.stream.Collectors;
import org.relaxvm.compiler.type.PrimText;

/**
 * Expressions in one line, for messages. Bodies of functions and branches are left out, and so is
 * what lies deep inside of others.
 */
final class ExprText {
  private static final int MAX_DEPTH = 4;

  private ExprText() {}

  static String print(Expr expr) {
    return print(expr, 0);
  }

  private static String print(Expr expr, int depth) {
    if (depth >= MAX_DEPTH && !expr.isLeaf()) {
      return "...";
    }
    return switch (expr) {
      case RelaxVar var -> var.name();
      case GlobalVar global -> "cls." + global.name();
      case Constant constant -> "R.const(" + constant.tensorType() + ")";
      case ShapeExpr(var values) ->
          values.stream().map(PrimText::print).collect(Collectors.joining(", ", "R.shape([", "])"));
      case StringImm(String value) -> "R.str(\"" + value + "\")";
      case DataTypeImm(var value) -> "R.dtype(\"" + value + "\")";
      case PrimValue(var value) -> "R.prim_value(" + PrimText.print(value) + ")";
      case Tuple(List<Expr> fields) ->
          "(" + list(fields, depth) + (fields.size() == 1 ? ",)" : ")");
      case TupleGetItem(Expr tuple, int index) -> print(tuple, depth + 1) + "[" + index + "]";
      case Call call -> print(call, depth);
      case SeqExpr seq -> "{ ... " + print(seq.body(), depth + 1) + " }";
      case If choice -> "if " + print(choice.condition(), depth + 1) + ": ... else: ...";
      case RelaxFunction function -> "function(" + list(function.params(), depth) + ")";
      case ExternFunc extern -> "R.ExternFunc(\"" + extern.symbol() + "\")";
      case Op op -> "R." + op.name();
    };
  }

  private static String print(Call call, int depth) {
    StringBuilder out = new StringBuilder();
    out.append(
        call.callee() instanceof ExternFunc extern
            ? "R.call_packed(\"" + extern.symbol() + "\"" + (call.args().isEmpty() ? "" : ", ")
            : print(call.callee(), depth + 1) + "(");
    out.append(list(call.args(), depth));
    call.attrs()
        .values()
        .forEach((name, value) -> out.append(", ").append(name).append('=').append(value));
    return out.append(')').toString();
  }

  private static String list(List<? extends Expr> exprs, int depth) {
    return exprs.stream().map(expr -> print(expr, depth + 1)).collect(Collectors.joining(", "));
  }
}
