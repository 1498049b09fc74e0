package org.relaxvm.interoponnx.operator.product;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Sums over letters. */
public final class Einsums {
  private static final String ELLIPSIS = "...";

  private Einsums() {}

  /** Adds the operator to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("Einsum", 12, Einsums::einsum);
  }

  private static List<Operand> einsum(NodeContext node) {
    String equation = node.attributes().string("equation", "").replaceAll("\\s", "");
    List<Expr> operands = node.tensors();
    int arrow = equation.indexOf("->");
    String left = arrow < 0 ? equation : equation.substring(0, arrow);
    List<String> terms = List.of(left.split(",", -1));
    if (terms.size() != operands.size()) {
      throw node.unsupported(
          "the equation '"
              + equation
              + "' is of "
              + terms.size()
              + " operands, but there are "
              + operands.size(),
          "");
    }
    return node.result(
        Linear.einsum(equation, agreeing(node, terms, operands).toArray(new Expr[0])));
  }

  /** Extents of one letter that are neither 1 nor surely equal are taken to be equal. */
  private static List<Expr> agreeing(NodeContext node, List<String> terms, List<Expr> operands) {
    Map<String, PrimExpr> extents = new HashMap<>();
    List<List<String>> letters = new ArrayList<>();
    for (int i = 0; i < operands.size(); i++) {
      List<PrimExpr> dims = node.dims(operands.get(i));
      List<String> own = letters(node, terms.get(i), dims.size());
      letters.add(own);
      for (int axis = 0; axis < dims.size(); axis++) {
        extents.merge(own.get(axis), dims.get(axis), NodeContext::common);
      }
    }
    List<Expr> result = new ArrayList<>();
    for (int i = 0; i < operands.size(); i++) {
      List<PrimExpr> dims = new ArrayList<>(node.dims(operands.get(i)));
      for (int axis = 0; axis < dims.size(); axis++) {
        if (!(dims.get(axis) instanceof IntImm)) {
          dims.set(axis, Objects.requireNonNull(extents.get(letters.get(i).get(axis))));
        }
      }
      result.add(node.assume(operands.get(i), dims));
    }
    return result;
  }

  /** A name for each axis: its letter, or its number from the end of an ellipsis. */
  private static List<String> letters(NodeContext node, String term, int rank) {
    int at = term.indexOf(ELLIPSIS);
    int written = term.length() - (at < 0 ? 0 : ELLIPSIS.length());
    if (at < 0 ? rank != written : rank < written) {
      throw node.unsupported(
          "'" + term + "' is of " + written + " axes, but the operand has " + rank, "");
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < (at < 0 ? term.length() : at); i++) {
      names.add(term.substring(i, i + 1));
    }
    if (at >= 0) {
      for (int left = rank - written; left > 0; left--) {
        names.add(ELLIPSIS + left);
      }
      for (int i = at + ELLIPSIS.length(); i < term.length(); i++) {
        names.add(term.substring(i, i + 1));
      }
    }
    return names;
  }
}
