package org.relaxvm.compiler.ir;

import java.util.List;

/**
 * Bindings in a row.
 *
 * @param isDataflow whether it is a dataflow block: all values are pure, none is a choice, and its
 *     {@link DataflowVar}s are seen only there
 */
public record BindingBlock(List<Binding> bindings, boolean isDataflow) {
  /** Copies the list. */
  public BindingBlock {
    bindings = List.copyOf(bindings);
  }
}
