package org.relaxvm.tir.stmt;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.Handle;

/** A cell of a list of values of any kind: registers, constants or functions. */
public record AnyListItem(Handle list, int index) {
  /** Checks the index. */
  public AnyListItem {
    if (index < 0) {
      throw new InvalidProgramException(
          ErrorKind.INDEX, "the cell " + index + " of the list " + list + " is below 0");
    }
  }
}
