package org.relaxvm.interoponnx.operator;

import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.elementwise.Activations;
import org.relaxvm.interoponnx.operator.elementwise.Arithmetic;
import org.relaxvm.interoponnx.operator.elementwise.Casts;
import org.relaxvm.interoponnx.operator.elementwise.Comparisons;
import org.relaxvm.interoponnx.operator.elementwise.Unary;
import org.relaxvm.interoponnx.operator.shape.Parts;
import org.relaxvm.interoponnx.operator.shape.Reshapes;
import org.relaxvm.interoponnx.operator.shape.Shapes;

/** All operators. */
public final class StandardOperators {
  private StandardOperators() {}

  /** The table of all operators. */
  public static OperatorTable table() {
    OperatorTable.Builder table = OperatorTable.builder();
    Arithmetic.addTo(table);
    Comparisons.addTo(table);
    Unary.addTo(table);
    Activations.addTo(table);
    Casts.addTo(table);
    Shapes.addTo(table);
    Reshapes.addTo(table);
    Parts.addTo(table);
    return table.build();
  }
}
