package org.relaxvm.tir.text;

import java.util.List;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.Range;

/** Expressions as text, with as few parentheses as keep the tree. */
final class ExprPrinter {
  private final Names names;
  private final StringBuilder out = new StringBuilder();

  private ExprPrinter(Names names) {
    this.names = names;
  }

  static String print(PrimExpr expr, Names names) {
    ExprPrinter printer = new ExprPrinter(names);
    printer.print(expr, Precedence.LOWEST);
    return printer.out.toString();
  }

  static String print(List<PrimExpr> exprs, Names names) {
    ExprPrinter printer = new ExprPrinter(names);
    printer.printAll(exprs);
    return printer.out.toString();
  }

  /** As Python writes tuples: one alone has a comma after it. */
  static String printTuple(List<PrimExpr> exprs, Names names) {
    return "(" + print(exprs, names) + (exprs.size() == 1 ? ",)" : ")");
  }

  /** The element at indices. */
  static String printElement(Buffer buffer, List<PrimExpr> indices, Names names) {
    ExprPrinter printer = new ExprPrinter(names);
    printer.printLoad(buffer, indices);
    return printer.out.toString();
  }

  static String print(BufferRegion region, Names names) {
    ExprPrinter printer = new ExprPrinter(names);
    printer.out.append(names.of(region.buffer())).append('[');
    String separator = "";
    for (Range range : region.ranges()) {
      printer.out.append(separator);
      printer.print(range.min(), Precedence.LOWEST);
      if (!Ranges.isSingle(range)) {
        printer.out.append(':');
        printer.print(Ranges.stop(range), Precedence.LOWEST);
      }
      separator = ", ";
    }
    return printer.out.append(region.ranges().isEmpty() ? "()]" : "]").toString();
  }

  private void print(PrimExpr expr, int least) {
    switch (expr) {
      case IntImm imm -> out.append(Literals.print(imm));
      case FloatImm imm -> out.append(Literals.print(imm));
      case Var var -> out.append(names.of(var));
      case Binary binary -> print(binary, least);
      case Not(PrimExpr a) -> {
        boolean parentheses = least > Precedence.NOT;
        out.append(parentheses ? "(not " : "not ");
        print(a, Precedence.NOT);
        out.append(parentheses ? ")" : "");
      }
      case Select select -> printCall("T.Select(", select.operands());
      case Cast(var dtype, PrimExpr value) ->
          printCall("T.Cast(\"" + dtype + "\", ", List.of(value));
      case BufferLoad(Buffer buffer, List<PrimExpr> indices) -> printLoad(buffer, indices);
      case Call(var op, List<PrimExpr> args) -> printCall("T." + op.text() + "(", args);
    }
  }

  private void print(Binary binary, int least) {
    BinaryOp op = binary.op();
    if (!Precedence.isInfix(op)) {
      printCall("T." + op.text() + "(", binary.operands());
      return;
    }
    int level = Precedence.of(op);
    boolean parentheses = least > level;
    out.append(parentheses ? "(" : "");
    // Of operators in a row Python takes the left ones first; comparisons in a row mean another
    // thing there.
    print(binary.a(), op.kind() == BinaryOp.Kind.COMPARISON ? level + 1 : level);
    out.append(' ').append(op.text()).append(' ');
    print(binary.b(), level + 1);
    out.append(parentheses ? ")" : "");
  }

  private void printCall(String start, List<PrimExpr> args) {
    out.append(start);
    printAll(args);
    out.append(')');
  }

  private void printLoad(Buffer buffer, List<PrimExpr> indices) {
    out.append(names.of(buffer)).append(indices.isEmpty() ? "[()" : "[");
    printAll(indices);
    out.append(']');
  }

  private void printAll(List<PrimExpr> exprs) {
    for (int i = 0; i < exprs.size(); i++) {
      out.append(i == 0 ? "" : ", ");
      print(exprs.get(i), Precedence.LOWEST);
    }
  }
}
