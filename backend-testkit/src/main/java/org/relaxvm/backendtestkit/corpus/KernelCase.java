package org.relaxvm.backendtestkit.corpus;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.op.LibraryHint;

/**
 * A kernel of the corpus. Immutable.
 *
 * @param name unique; that of the kernel
 * @param bindings what values its symbolic extents take, by their names: one run for each
 * @param fills how arguments are made, by the names of parameters; small numbers for others
 * @param library the function of the kernel library that computes the same
 */
public record KernelCase(
    String name,
    PrimFunc function,
    List<Map<String, Long>> bindings,
    Map<String, Fill> fills,
    Tolerance tolerance,
    Optional<LibraryHint> library) {
  /** Copies the collections. */
  public KernelCase {
    bindings = bindings.stream().map(Map::copyOf).toList();
    fills = Map.copyOf(fills);
  }

  @Override
  public String toString() {
    return name;
  }
}
