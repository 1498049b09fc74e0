package org.relaxvm.compiler.type;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;

/**
 * Scalar expressions as they stand in types and arguments of a program: integers are int64, floats
 * float64 and {@code True} a bool unless the text says otherwise.
 */
public final class PrimText {
  private static final int LOWEST = 0;
  private static final int NOT = 3;
  private final Function<Var, String> names;
  private final StringBuilder out = new StringBuilder();

  private PrimText(Function<Var, String> names) {
    this.names = names;
  }

  /** An expression, variables by their own names. */
  public static String print(PrimExpr expr) {
    return print(expr, Var::name);
  }

  /** An expression with names for its variables. */
  public static String print(PrimExpr expr, Function<Var, String> names) {
    PrimText text = new PrimText(names);
    text.append(expr, LOWEST);
    return text.out.toString();
  }

  /** Expressions as Python writes tuples: one alone has a comma after it. */
  public static String printTuple(List<PrimExpr> exprs, Function<Var, String> names) {
    String inner = exprs.stream().map(e -> print(e, names)).collect(Collectors.joining(", "));
    return "(" + inner + (exprs.size() == 1 ? ",)" : ")");
  }

  /** The same, variables by their own names. */
  public static String printTuple(List<PrimExpr> exprs) {
    return printTuple(exprs, Var::name);
  }

  private void append(PrimExpr expr, int least) {
    switch (expr) {
      case IntImm(DType dtype, long value) -> {
        String number =
            dtype.equals(DType.BOOL) ? (value != 0 ? "True" : "False") : number(dtype, value);
        boolean plain = dtype.equals(DType.INT64) || dtype.equals(DType.BOOL);
        out.append(plain ? number : "T." + dtype + "(" + number + ")");
      }
      case FloatImm(DType dtype, double value) -> {
        String number =
            Double.isFinite(value) ? Double.toString(value) : "\"" + special(value) + "\"";
        boolean plain = dtype.equals(DType.FLOAT64) && Double.isFinite(value);
        out.append(plain ? number : "T." + dtype + "(" + number + ")");
      }
      case Var var -> out.append(names.apply(var));
      case Binary binary -> append(binary, least);
      case Not(PrimExpr a) -> {
        boolean parentheses = least > NOT;
        out.append(parentheses ? "(not " : "not ");
        append(a, NOT);
        out.append(parentheses ? ")" : "");
      }
      case Select select -> call("T.Select(", select.operands());
      case Cast(DType dtype, PrimExpr value) -> call("T.Cast(\"" + dtype + "\", ", List.of(value));
      case BufferLoad load -> {
        out.append(load.buffer().name()).append('[');
        appendAll(load.indices());
        out.append(']');
      }
      case Call(var op, List<PrimExpr> args) -> call("T." + op.text() + "(", args);
    }
  }

  private static String number(DType dtype, long value) {
    return dtype.equals(DType.UINT64) ? Long.toUnsignedString(value) : Long.toString(value);
  }

  private static String special(double value) {
    return Double.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
  }

  private void append(Binary binary, int least) {
    int level = level(binary.op());
    if (level < 0) {
      // MIN and MAX are functions of Python, the remainder of a truncating division is not.
      String prefix = binary.op() == BinaryOp.MOD ? "T." : "";
      call(prefix + binary.op().text() + "(", binary.operands());
      return;
    }
    boolean parentheses = least > level;
    out.append(parentheses ? "(" : "");
    append(binary.a(), binary.op().kind() == BinaryOp.Kind.COMPARISON ? level + 1 : level);
    out.append(' ').append(binary.op().text()).append(' ');
    append(binary.b(), level + 1);
    out.append(parentheses ? ")" : "");
  }

  /** How tightly an operator binds in Python; -1 for those that are written as functions. */
  private static int level(BinaryOp op) {
    return switch (op) {
      case OR -> 1;
      case AND -> 2;
      case EQ, NE, LT, LE, GT, GE -> 4;
      case ADD, SUB -> 5;
      case MUL, DIV, FLOOR_DIV, FLOOR_MOD -> 6;
      default -> -1;
    };
  }

  private void call(String start, List<PrimExpr> args) {
    out.append(start);
    appendAll(args);
    out.append(')');
  }

  private void appendAll(List<PrimExpr> exprs) {
    String separator = "";
    for (PrimExpr expr : exprs) {
      out.append(separator);
      append(expr, LOWEST);
      separator = ", ";
    }
  }
}
