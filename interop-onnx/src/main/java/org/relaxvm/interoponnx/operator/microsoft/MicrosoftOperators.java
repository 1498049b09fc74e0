package org.relaxvm.interoponnx.operator.microsoft;

import org.relaxvm.interoponnx.convert.OperatorTable;

/** Operators of {@code com.microsoft} on floats, version 1. */
public final class MicrosoftOperators {
  private MicrosoftOperators() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    FusedProducts.addTo(table);
    Gelus.addTo(table);
    Normalizations.addTo(table);
    Attentions.addTo(table);
    GroupQueryAttention.addTo(table);
    Miscellaneous.addTo(table);
    Refused.addTo(table);
  }
}
