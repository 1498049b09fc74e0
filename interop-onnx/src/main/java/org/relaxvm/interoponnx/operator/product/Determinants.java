package org.relaxvm.interoponnx.operator.product;

import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.interoponnx.convert.OperatorTable;

/** Determinants. */
public final class Determinants {
  private Determinants() {}

  /** Adds the operator to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("Det", 11, node -> node.result(Linear.determinant(node.tensor(0))));
  }
}
